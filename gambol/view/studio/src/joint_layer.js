// Joints that can be taken hold of: a dot on each, larger at the ends of limbs. Dragging one pulls the body along.
//
// Held joints (those that stay) are ringed. Double-click, or H, holds a joint and lets it go again.

const NEAR = 14; // pixels from the pointer to a joint

export class JointLayer {
  constructor(studio, ink) {
    this.studio = studio;
    this.ink = ink;
    this.hovered = null;
    this.dragged = null;
    this.lastPress = 0;
    this.cursor = 'grab';
  }

  get on() {
    const { posing, view, viewport } = this.studio;
    return view.panel === 'pose' && posing.active && viewport.single?.id === 'pose';
  }

  // [{ name, place, end }] of everything that can be dragged: the joints, and the ends of limbs.
  joints() {
    const { viewport, facts } = this.studio;
    const all = facts.bones.map((bone, i) => ({ name: bone.name, place: viewport.head(i), end: false }));
    facts.bones.forEach((bone, i) => {
      const tail = viewport.tail(i);
      if (tail) all.push({ name: `${bone.name}:end`, place: tail, end: true });
    });
    return all;
  }

  draw(ink) {
    const { posing, view, viewport, facts } = this.studio;
    const { colours } = ink;
    const leaves = new Set(facts.bones.filter(({ tail }) => tail).map(({ name }) => name));
    for (const { name, place, end } of this.joints()) {
      const [x, y, depth] = viewport.project(place);
      if (depth === null) continue;
      const held = name in (posing.pins ?? {});
      const marked = name === this.dragged?.name || name === this.hovered?.name;
      const chosen = name === view.joint;
      const radius = marked ? 6.5 : leaves.has(name) || end ? 5 : 3.5;
      if (held) ink.dot([x, y], 9, 'transparent', { ring: colours.accent, width: 2 });
      ink.dot([x, y], radius, marked || chosen ? colours.accent : colours.ink, { ring: colours.panel });
    }
    const named = this.dragged ?? this.hovered;
    if (named) {
      const place = this.joints().find(({ name }) => name === named.name)?.place;
      const [x, y] = viewport.project(place ?? named.place);
      if (this.dragged?.target) {
        const to = viewport.project(this.dragged.target);
        ink.line([[x, y], to], colours.accent, 1.5, [4, 4]);
        ink.dot(to, 4, 'transparent', { ring: colours.accent });
      }
      ink.label(named.name, [x + 14, y - 28]);
    }
  }

  hit(x, y) {
    const { viewport } = this.studio;
    let [best, least] = [null, NEAR];
    for (const joint of this.joints()) {
      const [px, py, depth] = viewport.project(joint.place);
      if (depth === null) continue;
      const distance = Math.hypot(px - x, py - y) + (joint.end ? 0.5 : 0);
      if (distance < least) [best, least] = [joint, distance];
    }
    return best;
  }

  hover(joint) {
    this.hovered = joint;
  }

  press(joint, event, x, y) {
    const { studio } = this;
    studio.store.show({ joint: joint.name });
    if (event.timeStamp - this.lastPress < 350 && this.lastJoint === joint.name) {
      this.hold(joint.name);
      this.lastPress = 0;
      return { move() {}, end() {} };
    }
    [this.lastPress, this.lastJoint] = [event.timeStamp, joint.name];
    if (!studio.posing.ready) return { move() {}, end() {} };
    this.dragged = { ...joint, target: null };
    const anchor = joint.place;
    const from = studio.viewport.onPlane(x, y, anchor);
    let moved = false;
    return {
      move: (px, py) => {
        if (!moved && Math.hypot(px - x, py - y) < 3) return;
        moved = true;
        const at = studio.viewport.onPlane(px, py, anchor);
        if (!at) return;
        this.dragged.target = anchor.map((v, k) => v + at[k] - from[k]);
        studio.posing.move(joint.name, studio.toPose(this.dragged.target));
        studio.viewport.dirty = true;
      },
      end: (cancelled) => {
        this.dragged = null;
        if (moved && cancelled) studio.posing.start(studio.character.id, studio.poseStart, studio.scene.pose?.pins ?? {});
        else if (moved) studio.posing.release();
        studio.changed();
      },
    };
  }

  // Where a joint is now, by name.
  place(name) {
    return this.on ? this.joints().find((joint) => joint.name === name)?.place ?? null : null;
  }

  // Hold a joint where it is, or let it go.
  hold(name) {
    const { posing } = this.studio;
    posing.pin(name, name in posing.pins ? null : true);
    this.studio.changed();
  }
}

