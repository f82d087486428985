// Arrows in the world: where the character looks (in the Character workspace) and the forces of the ground (in Physics).

export class FacingLayer {
  constructor(studio) {
    this.studio = studio;
  }

  get on() { return this.studio.view.panel === 'character'; }

  hit() { return null; }

  draw(ink) {
    const { viewport } = this.studio;
    const { low, high } = viewport.character.facts;
    const from = viewport.project([high[0] + 0.06 * viewport.size, 0, (low[2] + high[2]) / 2]);
    const to = viewport.project([high[0] + 0.4 * viewport.size, 0, (low[2] + high[2]) / 2]);
    if (from[2] === null || to[2] === null) return;
    ink.arrow(from, to, ink.colours.accent, 2.5);
  }
}

export class ForceLayer {
  constructor(studio) {
    this.studio = studio;
  }

  get on() {
    const { view, viewport } = this.studio;
    return view.physics && view.forces !== false && Boolean(viewport.single?.contacts);
  }

  hit() { return null; }

  // An arrow as long as the body is tall stands for the body's weight.
  draw(ink) {
    const { viewport, playhead } = this.studio;
    const { fps = 30, frames = [], weight = 1 } = viewport.single.contacts;
    const contacts = frames[Math.min(Math.round(playhead.time * fps), frames.length - 1)] ?? [];
    const scale = (0.8 * viewport.size) / Math.max(weight, 1e-9);
    for (const [x, y, z, ...force] of contacts) {
      const from = viewport.project([x, y, z]);
      const to = viewport.project([x, y, z].map((v, k) => v + scale * force[k]));
      if (from[2] === null || to[2] === null) continue;
      ink.dot(from, 3, ink.colours.accent, { ring: null });
      ink.arrow(from, to, ink.colours.accent, 2);
    }
  }
}
