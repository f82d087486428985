// How long frames take: the time between drawn frames, and the script's own share of it.

const KEPT = 600;
const SHOWN = 60;

export class Meter {
  constructor(element) {
    this.element = element;
    this.intervals = [];
    this.work = [];
    this.last = null;
    this.shownAt = 0;
  }

  // `now` is when the frame began, `cost` what the script spent on it, both in milliseconds.
  count(now, cost) {
    if (this.last !== null) push(this.intervals, now - this.last);
    push(this.work, cost);
    this.last = now;
    if (now - this.shownAt > 500 && this.intervals.length) {
      const interval = mean(this.intervals.slice(-SHOWN));
      const text = `${Math.round(1000 / interval)} fps · ${interval.toFixed(1)} ms`;
      this.element.textContent = `${text} (script ${mean(this.work.slice(-SHOWN)).toFixed(1)} ms)`;
      this.shownAt = now;
    }
  }

  // Nothing is drawn while nothing changes, and that pause is no frame time.
  rest() {
    this.last = null;
  }
}

function push(list, value) {
  list.push(value);
  if (list.length > KEPT) list.shift();
}

function mean(list) {
  return list.reduce((sum, value) => sum + value, 0) / Math.max(list.length, 1);
}
