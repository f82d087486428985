// The bar at the bottom: play, steps, scrubber, time and frame, speed, loop.

const byId = (id) => document.getElementById(id);
export const SPEEDS = { low: 0.1, high: 2, step: 0.1 };

export class Timeline {
  constructor(playback, changed) {
    this.playback = playback;
    this.changed = changed;
    this.scrubber = byId('scrubber');
    this.speed = byId('speed');
    byId('play').addEventListener('click', () => this.#do(() => playback.toggle()));
    byId('back').addEventListener('click', () => this.#do(() => playback.step(-1)));
    byId('forth').addEventListener('click', () => this.#do(() => playback.step(1)));
    byId('loop').addEventListener('click', () => this.toggleLoop());
    this.speed.addEventListener('input', () => this.setSpeed(+this.speed.value));
    let resume = false;
    this.scrubber.addEventListener('pointerdown', () => {
      resume = playback.playing;
      playback.playing = false;
      addEventListener('pointerup', () => this.#do(() => { playback.playing = resume; }), { once: true });
    });
    this.scrubber.addEventListener('input', () => this.#do(() => playback.seek(+this.scrubber.value)));
    this.refresh();
  }

  #do(action) {
    action();
    this.changed();
  }

  toggleLoop() {
    this.#do(() => { this.playback.loop = !this.playback.loop; });
  }

  setSpeed(value) {
    const speed = Math.min(Math.max(Math.round(value * 10) / 10, SPEEDS.low), SPEEDS.high);
    this.#do(() => { this.playback.speed = speed; });
  }

  // A new clip, or a new setting.
  refresh() {
    const { playback } = this;
    const still = playback.duration === 0;
    this.scrubber.max = playback.duration || 1;
    this.scrubber.disabled = still;
    for (const id of ['play', 'back', 'forth', 'loop']) byId(id).disabled = still;
    byId('of-seconds').textContent = ` / ${playback.duration.toFixed(2)} s`;
    byId('of-frames').textContent = ` / ${playback.frames}`;
    byId('loop').setAttribute('aria-pressed', playback.loop);
    byId('play').setAttribute('aria-label', playback.playing ? 'Pause' : 'Play');
    document.body.dataset.playing = playback.playing;
    this.speed.value = playback.speed;
    byId('speed-value').textContent = `${playback.speed.toFixed(1)}×`;
    this.tick();
  }

  // A new moment.
  tick() {
    const { playback, scrubber } = this;
    const share = playback.duration > 0 ? playback.time / playback.duration : 0;
    scrubber.value = playback.time;
    scrubber.style.setProperty('--at', `${(100 * share).toFixed(2)}%`);
    const seconds = playback.time.toFixed(2);
    if (byId('seconds').textContent !== seconds) byId('seconds').textContent = seconds;
    byId('frame').textContent = playback.frame;
    scrubber.setAttribute('aria-valuetext', `${seconds} seconds, frame ${playback.frame}`);
  }
}
