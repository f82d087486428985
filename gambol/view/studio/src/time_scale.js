// Seconds to pixels and back, and where a ruler has its marks.

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const ROOM = 1.08; // a little free time behind the end, so that the last edge can be dragged

export class TimeScale {
  constructor() {
    this.width = 1;
    this.length = 1;
    this.held = false;
  }

  // All of `length` seconds fits into `width` pixels; while something is dragged the scale stays as it is.
  fit(length, width) {
    this.width = Math.max(width, 1);
    if (!this.held) this.length = Math.max(length * ROOM, 1);
  }

  x(time) { return (time / this.length) * this.width; }

  time(x) { return (x / this.width) * this.length; }

  // [{ time, label }] with at least `apart` pixels between labels.
  marks(apart = 56) {
    const step = STEPS.find((s) => this.x(s) >= apart) ?? STEPS.at(-1);
    const small = step / (step >= 1 ? 4 : 5);
    const count = Math.floor(this.length / small + 1e-6);
    const each = Math.round(step / small);
    return Array.from({ length: count + 1 }, (_, i) => ({
      time: i * small, label: i % each ? null : String(+(i * small).toFixed(2)),
    }));
  }

  // `time`, or one of `others` that is nearer than `pixels`.
  snap(time, others, pixels = 6) {
    const near = others.map((other) => [Math.abs(this.x(other) - this.x(time)), other]).sort((a, b) => a[0] - b[0]);
    return near.length && near[0][0] <= pixels ? near[0][1] : time;
  }
}
