"use strict";
(() => {
  const CARDS = 48; // cards that are added at a time
  const RELOAD_SECONDS = 10;
  const UNITS = { sure: "", amount: "sizes/s", speed: "m/s", skate: "sizes/s", sinks: "sizes", floats: "sizes", seconds: "s" };
  const $ = (id) => document.getElementById(id);
  const jobs = JSON.parse($("jobs").textContent);
  const FILTERS = ["text", "status", "character", "prompt", "motion", "order"];
  let shown = [], count = 0, touched = 0;

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  const formatted = (name, value) => {
    if (name === "sure") return `${Math.round(100 * value)} %`;
    const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3;
    return Math.abs(value) < 5e-4 ? "0" : value.toFixed(digits);
  };

  function fillChoices(id, title) {
    const values = [...new Set(jobs.map((job) => job[id] ?? "").filter(Boolean))].sort();
    $(id).append(new Option(title, ""), ...values.map((value) => new Option(value.slice(0, 80), value)));
    $(id).hidden = values.length < 2 && id !== "status";
  }

  function showCounts() {
    const by = { done: 0, running: 0, queued: 0, failed: 0 };
    for (const job of jobs) by[job.status]++;
    const told = Object.entries(by).filter(([, n]) => n).map(([name, n]) => `${n} ${name}`);
    $("counts").textContent = `${jobs.length} jobs: ${told.join(", ")}${document.body.dataset.live === "true" ? " · in progress" : ""}`;
    for (const name of ["done", "failed", "running"]) {
      const part = element("i", undefined, name);
      part.style.width = `${(100 * by[name]) / jobs.length}%`;
      $("bar").append(part);
    }
  }

  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        if (!target.src) target.src = target.dataset.film;
        target.play().catch(() => {});
      } else {
        target.pause();
      }
    }
  }, { rootMargin: "200px" });

  function picture(job) {
    if (job.film && job.status === "done") {
      const film = element("video");
      Object.assign(film, { muted: true, loop: true, playsInline: true, controls: true, preload: "none" });
      film.dataset.film = job.film;
      film.setAttribute("aria-label", `${job.character ?? ""} ${job.prompt}`);
      film.addEventListener("loadedmetadata", () => film.style.setProperty("--shape", `${film.videoWidth} / ${film.videoHeight}`));
      watcher.observe(film);
      return film;
    }
    const words = { queued: "queued", running: "running …", done: "no film", failed: job.error ?? "failed" };
    return element("div", words[job.status], "blank");
  }

  function card(job) {
    const made = element("article", undefined, job.status);
    const text = element("div", undefined, "text");
    text.append(element("h2", job.prompt || job.run));
    text.append(element("p", [job.character, `seed ${job.seed}`, job.prior].filter(Boolean).join(" · "), "soft"));
    const numbers = element("dl");
    if (job.motion) numbers.append(pair("seen", job.motion));
    for (const [name, unit] of Object.entries(UNITS)) {
      if (job.numbers && name in job.numbers) numbers.append(pair(name, `${formatted(name, job.numbers[name])} ${unit}`));
    }
    if (numbers.children.length) text.append(numbers);
    if (job.notes) {
      const notes = element("details");
      notes.append(element("summary", job.notes.length === 1 ? "1 note" : `${job.notes.length} notes`));
      notes.append(...job.notes.map((note) => element("p", note)));
      text.append(notes);
    }
    if (job.report && job.status === "done") {
      const link = element("a", "report");
      link.href = job.report;
      const line = element("p");
      line.append(link);
      text.append(line);
    }
    made.append(picture(job), text);
    return made;
  }

  function pair(name, value) {
    const made = element("div");
    made.append(element("dt", name), element("dd", value));
    return made;
  }

  function matches(job) {
    for (const id of ["status", "character", "prompt", "motion"]) {
      if ($(id).value && (job[id] ?? "") !== $(id).value) return false;
    }
    const words = $("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const told = [job.run, job.prompt, job.character, job.prior, job.motion, job.error, ...(job.notes ?? [])].join(" ").toLowerCase();
    return words.every((word) => told.includes(word));
  }

  function ordered(found) {
    const order = $("order").value;
    if (!order) return found;
    const name = order.replace("-", ""), sign = order.startsWith("-") ? -1 : 1;
    const key = (job) => job.numbers?.[name];
    return [...found].sort((a, b) => (key(a) === undefined) - (key(b) === undefined) || sign * ((key(a) ?? 0) - (key(b) ?? 0)));
  }

  function addCards(most) {
    const next = shown.slice(count, most);
    $("cards").append(...next.map(card));
    count += next.length;
    $("more").hidden = count >= shown.length;
  }

  function apply(most = CARDS) {
    watcher.disconnect();
    $("cards").replaceChildren();
    shown = ordered(jobs.filter(matches));
    count = 0;
    addCards(most);
    $("none").hidden = shown.length > 0;
    $("found").textContent = shown.length === jobs.length ? "" : `${shown.length} of ${jobs.length} jobs`;
    remember();
  }

  function remember() {
    const state = new URLSearchParams(FILTERS.filter((id) => $(id).value).map((id) => [id, $(id).value]));
    if (count > CARDS) state.set("cards", count);
    if (scrollY > 0) state.set("y", Math.round(scrollY));
    history.replaceState(null, "", `#${state}`);
  }

  showCounts();
  for (const [id, title] of [["status", "any status"], ["character", "all characters"], ["prompt", "all prompts"], ["motion", "any motion seen"]]) fillChoices(id, title);
  const state = new URLSearchParams(location.hash.slice(1));
  for (const id of FILTERS) if (state.has(id)) $(id).value = state.get(id);
  $("filters").addEventListener("input", () => { touched = Date.now(); apply(); });
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("more").addEventListener("click", () => { addCards(count + CARDS); remember(); });
  for (const name of ["pointerdown", "keydown", "wheel", "touchmove"]) addEventListener(name, () => { touched = Date.now(); }, { passive: true });
  apply(Number(state.get("cards")) || CARDS);
  scrollTo(0, Number(state.get("y")) || 0);
  if (document.body.dataset.live === "true") {
    setInterval(() => {
      if (document.hidden || Date.now() - touched < 1000 * RELOAD_SECONDS) return;
      remember();
      location.reload();
    }, 1000 * RELOAD_SECONDS);
  }
  document.body.dataset.state = "ready";
})();
