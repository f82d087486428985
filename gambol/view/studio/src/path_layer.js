// The path on the ground: drawn with one stroke, thinned to few points that can be dragged; arrows show the heading.
import { deleteConstraint } from './document.js';

const NEAR = 12;
const MOST_POINTS = 12;
const PATIENCE = 150; // milliseconds after the last change, before the server is asked

export class PathLayer {
  constructor(studio) {
    this.studio = studio;
    this.facts = null; // what the server says of the path: samples, length, speed
    this.stroke = null;
    this.drags = 0;
  }

  get on() {
    const { view, scene } = this.studio;
    return view.panel === 'path' || (view.panel === 'make' && scene.constraints.some(({ kind }) => kind === 'path'));
  }

  get drawing() { return this.studio.view.panel === 'path'; }

  get cursor() { return this.path ? 'move' : 'crosshair'; }

  get path() {
    return this.studio.scene.constraints.find(({ kind }) => kind === 'path') ?? null;
  }

  // Ask the server how fast the present path is, when it has changed.
  refresh() {
    const { studio, path } = this;
    const key = path ? JSON.stringify([path.points, path.times, path.headings, studio.length, studio.character?.id]) : null;
    if (key === this.asked) return;
    this.asked = key;
    clearTimeout(this.timer);
    if (!path) {
      this.facts = null;
      studio.changed();
      return;
    }
    this.timer = setTimeout(async () => {
      try {
        const { points, times = null, headings = null } = path;
        const facts = await studio.api.post('/path', { points, times, headings, seconds: studio.length, character: studio.character?.id ?? null });
        if (this.asked === key) this.facts = facts;
      } catch (error) {
        if (this.asked === key) this.facts = { length: 0, mean_speed: 0, samples: [], notes: [error.message] };
      }
      studio.changed();
    }, PATIENCE);
  }

  draw(ink) {
    const { viewport, playhead } = this.studio;
    const { colours } = ink;
    const to = ([x, z]) => viewport.project([x, 0, z]);
    if (this.stroke) {
      ink.line(this.stroke.map(to), colours.accent, 2);
      return;
    }
    const { path } = this;
    if (!path) return;
    const samples = this.facts?.samples ?? [];
    const curve = samples.length ? samples.map(([, x, z]) => [x, z]) : path.points;
    const seen = curve.map(to).filter(([, , depth]) => depth !== null);
    ink.line(seen, colours.panel, 4);
    ink.line(seen, colours.accent, 2);
    const each = Math.max(Math.round(samples.length / 8), 1);
    const reach = 0.22 * viewport.size;
    samples.forEach(([, x, z, heading], i) => {
      if (i % each) return;
      const from = to([x, z]);
      const end = to([x + reach * Math.cos(heading), z - reach * Math.sin(heading)]);
      if (from[2] !== null && end[2] !== null) ink.arrow(from, end, colours['ink-2'], 1.5);
    });
    const now = samples.find(([time]) => time >= playhead.time) ?? null;
    if (now) {
      const at = to([now[1], now[2]]);
      if (at[2] !== null) ink.dot(at, 5, colours.ink);
      if (at[2] !== null && this.drawing) ink.label(`${now[4].toFixed(2)} m/s`, [at[0] + 10, at[1] + 10]);
    }
    if (!this.drawing) return;
    path.points.forEach((point, i) => {
      const at = to(point);
      if (at[2] !== null) ink.dot(at, i === this.hovered ? 6.5 : 5, colours.panel, { ring: colours.accent, width: 2 });
    });
  }

  hit(x, y) {
    if (!this.drawing) return null;
    const { viewport } = this.studio;
    const { path } = this;
    if (path) {
      const found = path.points.findIndex(([px, pz]) => {
        const [sx, sy, depth] = viewport.project([px, 0, pz]);
        return depth !== null && Math.hypot(sx - x, sy - y) < NEAR;
      });
      return found >= 0 ? found : null;
    }
    const place = viewport.onGround(x, y);
    return place ? { place } : null;
  }

  hover(target) {
    this.hovered = typeof target === 'number' ? target : null;
  }

  press(target, event, x, y) {
    return typeof target === 'number' ? this.#dragPoint(target, event) : this.#drawStroke(x, y);
  }

  #drawStroke(x, y) {
    const { studio } = this;
    const first = studio.viewport.onGround(x, y);
    const near = Math.hypot(...first) < 0.5 * studio.viewport.size;
    this.stroke = [near ? [0, 0] : first];
    return {
      move: (px, py) => {
        const at = studio.viewport.onGround(px, py);
        const last = this.stroke.at(-1);
        if (at && Math.hypot(at[0] - last[0], at[1] - last[1]) > 0.02 * studio.viewport.size) this.stroke.push(at);
        studio.viewport.dirty = true;
      },
      end: (cancelled) => {
        const { stroke } = this;
        this.stroke = null;
        studio.changed();
        if (cancelled || length(stroke) < 0.3 * studio.viewport.size) return;
        const points = thin(stroke, MOST_POINTS).map(([a, b]) => [round(a), round(b)]);
        studio.edit('Draw path', (scene) => {
          scene.constraints.push({ id: scene.next, kind: 'path', points });
          scene.next += 1;
        });
      },
    };
  }

  #dragPoint(index, event) {
    const { studio } = this;
    if (event.timeStamp - (this.lastPress ?? 0) < 350 && this.lastPoint === index) {
      this.#change('Remove point', (path) => { if (path.points.length > 2) path.points.splice(index, 1); delete path.times; });
      return { move() {}, end() {} };
    }
    [this.lastPress, this.lastPoint] = [event.timeStamp, index];
    this.drags += 1;
    const merge = `path ${this.drags}`;
    return {
      move: (x, y) => {
        const at = studio.viewport.onGround(x, y);
        if (at) this.#change('Move point', (path) => { path.points[index] = [round(at[0]), round(at[1])]; }, { merge });
      },
      end: (cancelled) => {
        studio.store.endMerge();
        if (cancelled) studio.undo();
      },
    };
  }

  // The body arrives after so many seconds, at an even speed; null: the motion's own speed.
  setArrival(seconds) {
    this.#change('Arrival', (path) => {
      if (seconds === null) {
        delete path.times;
        return;
      }
      const along = path.points.reduce((sums, point, i) => (i ? [...sums, sums.at(-1) + distance(point, path.points[i - 1])] : [0]), []);
      path.times = along.map((s) => Math.round((1000 * seconds * s) / along.at(-1)) / 1000);
    });
  }

  clear() {
    const { path, studio } = this;
    if (path) studio.edit('Remove path', (scene) => deleteConstraint(scene, path.id));
  }

  #change(label, edit, options) {
    this.studio.edit(label, (scene) => edit(scene.constraints.find(({ kind }) => kind === 'path')), options);
  }
}

function distance(a, b) { return Math.hypot(a[0] - b[0], a[1] - b[1]); }

function length(points) {
  return points.reduce((sum, point, i) => sum + (i ? distance(point, points[i - 1]) : 0), 0);
}

function round(value) { return Math.round(value * 1000) / 1000; }

// At most `most` points that keep the form (Ramer, Douglas, Peucker): the tolerance grows until they are few enough.
export function thin(points, most) {
  let tolerance = 0.005 * length(points);
  let kept = points;
  for (let i = 0; i < 20; i += 1) {
    kept = simplify(points, tolerance);
    if (kept.length <= most) return kept;
    tolerance *= 1.4;
  }
  return kept.slice(0, most - 1).concat([points.at(-1)]);
}

function simplify(points, tolerance) {
  if (points.length < 3) return points;
  const [first, last] = [points[0], points.at(-1)];
  const span = distance(first, last);
  let [index, farthest] = [0, 0];
  for (let i = 1; i < points.length - 1; i += 1) {
    const [x, z] = points[i];
    const away = span > 1e-9
      ? Math.abs((last[0] - first[0]) * (first[1] - z) - (first[0] - x) * (last[1] - first[1])) / span
      : distance(points[i], first);
    if (away > farthest) [index, farthest] = [i, away];
  }
  if (farthest <= tolerance) return [first, last];
  return [...simplify(points.slice(0, index + 1), tolerance).slice(0, -1), ...simplify(points.slice(index), tolerance)];
}
