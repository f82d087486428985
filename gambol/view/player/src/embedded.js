// What Python put into the page: the model's bytes and the facts about it.

export function readFacts() {
  return JSON.parse(document.getElementById('facts').textContent);
}

export function readModel() {
  const text = atob(document.getElementById('model').textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

// Options behind the address's '#': clip=Walk&skeleton&time=0.5
export function readOptions() {
  const given = new URLSearchParams(location.hash.slice(1));
  const flag = (name, otherwise) => (given.has(name) ? !['0', 'false', 'off'].includes(given.get(name)) : otherwise);
  const number = (name) => (given.has(name) && Number.isFinite(+given.get(name)) ? +given.get(name) : null);
  return { text: (name) => given.get(name), flag, number };
}
