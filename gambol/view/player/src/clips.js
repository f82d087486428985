// The list of clips: one button each, the rest pose first, a search field where there are many.
import { REST } from './playback.js';

const MANY = 9;

export class ClipList {
  constructor(clips, choose) {
    this.clips = clips;
    this.choose = choose;
    this.list = document.getElementById('clip-list');
    this.search = document.getElementById('search');
    this.empty = document.getElementById('no-clips');
    const titles = shortNames(clips.map((clip) => clip.name));
    this.rows = [
      this.#row(REST, 'Rest pose', 'Rest pose', ''),
      ...clips.map((clip, i) => this.#row(i, titles[i], clip.name, `${(clip.end - clip.start).toFixed(2)} s`)),
    ];
    this.list.append(...this.rows.map((row) => row.item));
    this.search.hidden = clips.length < MANY;
    this.search.addEventListener('input', () => this.filter());
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        this.search.value = '';
        this.filter();
        this.search.blur();
      } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
        event.preventDefault();
        const first = this.rows.find((row) => !row.item.hidden);
        if (first) {
          this.choose(first.index);
          first.button.focus();
        }
      }
      event.stopPropagation();
    });
    if (!clips.length) this.#say('This file has no clips.');
  }

  #row(index, title, name, length) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const label = Object.assign(document.createElement('span'), { className: 'title', textContent: title });
    const seconds = Object.assign(document.createElement('span'), { className: 'length', textContent: length });
    button.append(label, seconds);
    button.title = name;
    button.addEventListener('click', () => this.choose(index));
    item.append(button);
    return { index, item, button, text: `${title} ${name}`.toLowerCase() };
  }

  #say(sentence) {
    this.empty.hidden = !sentence;
    this.empty.textContent = sentence;
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of this.rows) row.item.hidden = !words.every((word) => row.text.includes(word));
    this.#say(this.rows.every((row) => row.item.hidden) ? 'No clip has this name.' : '');
  }

  mark(index) {
    for (const row of this.rows) {
      const current = row.index === index;
      row.button.setAttribute('aria-current', current);
      if (current) row.button.scrollIntoView({ block: 'nearest' });
    }
  }

  // The clip before or after, among those that the search leaves.
  neighbour(index, step) {
    const shown = this.rows.filter((row) => !row.item.hidden);
    const at = shown.findIndex((row) => row.index === index);
    return shown[(at + step + shown.length) % shown.length]?.index ?? index;
  }

  // A clip by name, by the part of its name behind '|', or by number; undefined where there is none.
  find(wanted) {
    if (wanted === 'rest') return REST;
    const names = this.clips.map((clip) => clip.name);
    const short = (name) => name.split('|').at(-1).toLowerCase();
    const tests = [(name) => name === wanted, (name) => short(name) === short(wanted)];
    for (const test of tests) {
      const found = names.findIndex(test);
      if (found >= 0) return found;
    }
    return /^\d+$/.test(wanted) && +wanted < names.length ? +wanted : undefined;
  }
}

// 'Armature|Walk' is called 'Walk' where no other clip would be called the same.
function shortNames(names) {
  const short = names.map((name) => name.split('|').at(-1) || name);
  return new Set(short).size === new Set(names).size ? short : names;
}
