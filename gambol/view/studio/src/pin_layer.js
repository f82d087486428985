// Pins and look-at targets in the world: a diamond at the place, a thin line from the joint. They can be dragged.
import { constraintOf, span } from './document.js';

const NEAR = 12;
const SOON = 0.35; // seconds: pins farther away in time are drawn faint

export class PinLayer {
  constructor(studio) {
    this.studio = studio;
    this.cursor = 'move';
    this.hovered = null;
    this.drags = 0;
  }

  get on() {
    return ['make', 'pose', 'path'].includes(this.studio.view.panel);
  }

  #places() {
    return this.studio.scene.constraints.filter((c) => c.position || c.target);
  }

  draw(ink) {
    const { viewport, view, playhead, facts, length } = this.studio;
    for (const item of this.#places()) {
      const at = viewport.project(item.position ?? item.target);
      if (at[2] === null) continue;
      const [a, b] = span(item, length);
      const now = playhead.time >= a - SOON && playhead.time <= b + SOON;
      const chosen = view.selected?.type === 'constraint' && view.selected.id === item.id;
      ink.context.globalAlpha = now || chosen ? 1 : 0.4;
      const bone = item.joint ? facts.bones.findIndex(({ name }) => name === item.joint.replace(/:end$/, '')) : -1;
      if (bone >= 0 && now) {
        const from = viewport.project((item.joint.endsWith(':end') && viewport.tail(bone)) || viewport.head(bone));
        ink.line([from, at], ink.colours.accent, 1.25, [3, 4]);
      }
      ink.diamond(at, chosen ? 8 : 6.5, ink.colours.accent, chosen ? ink.colours.ink : ink.colours.panel);
      ink.context.globalAlpha = 1;
      if (chosen || this.hovered === item.id) ink.label(`${item.joint ?? 'Look at'}  ${a.toFixed(2)} s`, [at[0] + 12, at[1] - 28]);
    }
  }

  hit(x, y) {
    const { viewport } = this.studio;
    for (const item of this.#places()) {
      const [px, py, depth] = viewport.project(item.position ?? item.target);
      if (depth !== null && Math.hypot(px - x, py - y) < NEAR) return item;
    }
    return null;
  }

  hover(item) {
    this.hovered = item?.id ?? null;
  }

  press(item, event, x, y) {
    const { studio } = this;
    studio.store.show({ selected: { type: 'constraint', id: item.id } });
    const anchor = item.position ?? item.target;
    const from = studio.viewport.onPlane(x, y, anchor);
    this.drags += 1;
    const merge = `pin ${item.id} ${this.drags}`;
    return {
      move: (px, py) => {
        const at = studio.viewport.onPlane(px, py, anchor);
        if (!at) return;
        const place = anchor.map((v, k) => Math.round(1e4 * (v + at[k] - from[k])) / 1e4);
        studio.edit('Move pin', (scene) => {
          const mine = constraintOf(scene, item.id);
          if (mine.position) mine.position = place;
          else mine.target = place;
        }, { merge });
      },
      end: (cancelled) => {
        studio.store.endMerge();
        if (cancelled) studio.undo();
      },
    };
  }
}
