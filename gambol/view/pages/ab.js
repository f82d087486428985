"use strict";
const study = JSON.parse(document.getElementById("study").textContent);
const element = (id) => document.getElementById(id);
const stored = `gambol-ab-${study.id}`;
const SIDES = ["left", "right"];
let place = 0;
let choices = recall();

// choices[pair][question] is "left", "right" or absent; kept in the browser, so that a reload loses nothing
function recall() {
  try {
    const known = JSON.parse(localStorage.getItem(stored));
    if (Array.isArray(known) && known.length === study.pairs.length) return known;
  } catch { /* no storage for files: answers live as long as the page */ }
  return study.pairs.map(() => ({}));
}

function keep() {
  try {
    localStorage.setItem(stored, JSON.stringify(choices));
  } catch { /* as above */ }
}

function film(source, caption) {
  const figure = document.createElement("figure");
  const picture = document.createElement(source.startsWith("data:image") ? "img" : "video");
  if (picture.tagName === "VIDEO") Object.assign(picture, { muted: true, loop: true, autoplay: true, playsInline: true });
  picture.src = source;
  const words = document.createElement("figcaption");
  words.textContent = caption;
  figure.append(picture, words);
  return figure;
}

function question({ key, text }) {
  const group = document.createElement("fieldset");
  const asked = document.createElement("div");
  asked.className = "question";
  asked.textContent = text;
  const labels = SIDES.map((side) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: key, value: side, checked: choices[place][key] === side });
    input.setAttribute("aria-label", `${text} ${side}`);
    input.addEventListener("change", () => {
      choices[place][key] = side;
      keep();
      steer();
    });
    label.append(input, side);
    return label;
  });
  group.append(labels[0], asked, labels[1]);
  return group;
}

const complete = (pair) => study.questions.every(({ key }) => SIDES.includes(choices[pair][key]));

function steer() {
  const asking = place < study.pairs.length;
  element("back").disabled = place === 0;
  element("next").hidden = !asking;
  element("next").disabled = asking && !complete(place);
}

function show() {
  const asking = place < study.pairs.length;
  element("asking").hidden = !asking;
  element("done").hidden = asking;
  element("progress").textContent = asking ? `Pair ${place + 1} of ${study.pairs.length}` : "All pairs are answered.";
  if (asking) {
    const pair = study.pairs[place];
    element("prompt").textContent = pair.prompt ? `“${pair.prompt}”` : "";
    element("films").replaceChildren(...SIDES.map((side) => film(pair[side], side)));
    element("questions").replaceChildren(...study.questions.map(question));
  }
  steer();
}

function answers() {
  const given = choices.flatMap((chosen, pair) =>
    study.questions.filter(({ key }) => chosen[key]).map(({ key }) => ({ pair, question: key, choice: chosen[key] })),
  );
  return { schema: study.schema, key: study.key, evaluator: element("evaluator").value.trim(), answers: given };
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(answers(), null, 1)], { type: "application/json" }));
  link.download = "answers.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

element("next").addEventListener("click", () => { place += 1; show(); });
element("back").addEventListener("click", () => { place -= 1; show(); });
element("save").addEventListener("click", save);
globalThis.gambol = { answers };
show();
document.body.dataset.state = "ready";
