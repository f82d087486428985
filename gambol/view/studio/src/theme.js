// Dark or light: as the system has it, until somebody chooses. The choice is kept for the next visit.

const KEY = 'gambol-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

export class Theme {
  constructor(changed) {
    this.changed = changed;
    this.chosen = read();
    dark.addEventListener('change', () => this.#apply());
    this.#apply();
  }

  get now() {
    return this.chosen ?? (dark.matches ? 'dark' : 'light');
  }

  toggle() {
    this.chosen = this.now === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch { /* a browser that keeps nothing forgets it */ }
    this.#apply();
  }

  #apply() {
    document.documentElement.dataset.theme = this.now;
    this.changed(this.now);
  }
}

function read() {
  try {
    const found = localStorage.getItem(KEY);
    return found === 'dark' || found === 'light' ? found : null;
  } catch {
    return null;
  }
}
