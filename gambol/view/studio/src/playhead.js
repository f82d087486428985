// The time that is shown, in seconds of the clip: it plays, loops, steps and jumps.

export const SPEEDS = [0.25, 0.5, 1, 1.5, 2];
const LONGEST_STEP = 0.1; // seconds: after a pause of the browser the clip does not leap

export class Playhead {
  constructor(changed) {
    this.changed = changed;
    this.time = 0;
    this.duration = 0;
    this.fps = 30;
    this.playing = false;
    this.loop = true;
    this.speed = 1;
  }

  // Another length; the time stays where it is as far as it can.
  setDuration(duration, fps = 30) {
    if (duration === this.duration && fps === this.fps) return;
    this.duration = duration;
    this.fps = fps;
    this.time = Math.min(this.time, duration);
    this.changed();
  }

  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.changed();
  }

  step(frames) {
    this.playing = false;
    const last = Math.round(this.duration * this.fps);
    const wanted = Math.round(this.time * this.fps) + frames;
    this.seek((this.loop && last > 0 ? (wanted + last + 1) % (last + 1) : wanted) / this.fps);
  }

  toggle(on = !this.playing) {
    this.playing = on && this.duration > 0;
    if (this.playing && this.time >= this.duration) this.time = 0;
    this.changed();
  }

  // Returns whether time has gone on.
  advance(seconds) {
    if (!this.playing || this.duration === 0) return false;
    const next = this.time + Math.min(seconds, LONGEST_STEP) * this.speed;
    if (next > this.duration && !this.loop) {
      this.playing = false;
      this.time = this.duration;
      this.changed();
    } else {
      this.time = next > this.duration ? next % this.duration : next;
    }
    return true;
  }
}
