// Jobs of the server as the page knows them: states, progress, previews while they run, and the motions that came out.

import { motionsFromGlb } from './motion.js';

export const ACTIVE = ['queued', 'running', 'paused'];
const LOSSES_SHOWN = 400;

export class Jobs {
  constructor(api, changed) {
    this.api = api;
    this.changed = changed;
    this.all = new Map();
    this.live = new Map(); // job id -> { progress, losses: [{ step, ... }], picture, preview, previews }
    this.motions = new Map(); // job id -> [Motion] of its model
    this.loading = new Map();
    this.marks = {}; // for measurements: performance.now() when a job was asked for and when its first preview came
  }

  get(id) {
    return this.all.get(id) ?? null;
  }

  put(job) {
    this.all.set(job.id, job);
    if (job.progress) this.#liveOf(job.id).progress ??= job.progress;
    if (!ACTIVE.includes(job.state)) this.#liveOf(job.id).progress = null;
    this.changed(job);
  }

  drop(id) {
    this.all.delete(id);
    this.live.delete(id);
    this.motions.delete(id);
    this.changed(null);
  }

  // Newest first.
  of(character, kinds = null) {
    const wanted = [...this.all.values()].filter((job) => job.character === character && (!kinds || kinds.includes(job.kind)));
    return wanted.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : a.variant - b.variant));
  }

  group(id) {
    return [...this.all.values()].filter((job) => job.group === id).sort((a, b) => a.variant - b.variant);
  }

  progressOf(id) {
    return this.live.get(id)?.progress ?? this.get(id)?.progress ?? null;
  }

  lossesOf(id) {
    return this.live.get(id)?.losses ?? [];
  }

  // Which action of a sequence is being optimised.
  segmentOf(id) {
    return this.live.get(id)?.segment ?? null;
  }

  pictureOf(id) {
    return this.live.get(id)?.picture ?? null;
  }

  takeProgress(message) {
    this.#liveOf(message.job).progress = message;
    if (message.losses) this.takeLosses(message);
    this.changed(this.get(message.job));
  }

  takeLosses(message) {
    const live = this.#liveOf(message.job);
    live.segment = message.segment;
    if (live.losses.length && message.step < live.losses.at(-1).step) live.losses = [];
    live.losses.push({ step: message.step, ...message.losses });
    if (live.losses.length > LOSSES_SHOWN) live.losses = live.losses.filter((_, i) => i % 2);
    this.changed(this.get(message.job));
  }

  takePicture(message) {
    this.#liveOf(message.job).picture = this.api.address(message.url);
    this.changed(this.get(message.job));
  }

  // Returns how many there have been.
  takePreview(motion) {
    const live = this.#liveOf(motion.header.job);
    live.preview = motion;
    live.previews = (live.previews ?? 0) + 1;
    this.marks[motion.header.job] = { ...this.marks[motion.header.job], preview: this.marks[motion.header.job]?.preview ?? performance.now() };
    this.changed(this.get(motion.header.job));
    return live.previews;
  }

  asked(jobs, at) {
    for (const job of jobs) this.marks[job.id] = { asked: at, ...this.marks[job.id] };
  }

  // The motion of a job: what came out, or how far it is; null before the first preview.
  motion(id) {
    const job = this.get(id);
    if (job?.state === 'done' && job.result?.model) {
      const motions = this.motions.get(id);
      if (motions) return motions.find(({ name }) => name === job.result.clip) ?? motions.at(-1) ?? null;
      this.#load(job);
    }
    return this.live.get(id)?.preview ?? null;
  }

  // Another clip of a finished job's file, by name.
  motionNamed(id, name) {
    return this.motions.get(id)?.find((motion) => motion.name === name) ?? null;
  }

  async #load(job) {
    if (this.loading.has(job.id)) return;
    this.loading.set(job.id, true);
    try {
      this.motions.set(job.id, motionsFromGlb(await this.api.bytes(job.result.model)));
    } catch (error) {
      this.motions.set(job.id, []);
      this.failed = error;
    }
    this.loading.delete(job.id);
    this.changed(job);
  }

  #liveOf(id) {
    if (!this.live.has(id)) this.live.set(id, { progress: null, losses: [], picture: null, preview: null });
    return this.live.get(id);
  }
}

// Is there something that a person waits for?
export function isActive(job) {
  return ACTIVE.includes(job?.state);
}

// "about 2 min left", "12 s left"
export function remaining(progress) {
  const left = progress?.eta_seconds;
  if (left === null || left === undefined || !Number.isFinite(left)) return '';
  if (left < 1) return 'nearly done';
  if (left < 90) return `${Math.ceil(left)} s left`;
  return `about ${Math.round(left / 60)} min left`;
}

export const STATE_WORDS = {
  queued: 'Waiting', running: 'Running', paused: 'Paused', done: 'Done', failed: 'Failed', cancelled: 'Stopped',
};
