// The flat drawing over the picture, and the pointer: each layer draws itself and may take a press of the pointer.
//
// A layer: { on, draw(ink), hit(x, y) -> target | null, hover(target, x, y), press(target, event) -> drag | null }, and
// a drag: { move(x, y, event), end(cancelled) }. The first layer that is hit takes the pointer, before the camera does.

export class Ink {
  constructor(canvas, viewport) {
    this.canvas = canvas;
    this.viewport = viewport;
    this.context = canvas.getContext('2d');
    this.layers = [];
    this.colours = {};
    this.drag = null;
    this.hovered = null;
    this.#listen(viewport.holder);
  }

  paint(style) {
    const names = ['ink', 'ink-2', 'ink-3', 'panel', 'accent', 'accent-ink', 'line-strong', 'good', 'fair', 'poor', 'ghost', 'paper'];
    for (const name of names) this.colours[name] = style.getPropertyValue(`--${name}`).trim();
    this.font = style.getPropertyValue('--font').trim();
  }

  resize(width, height) {
    const ratio = Math.min(devicePixelRatio, 2);
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    [this.width, this.height] = [width, height];
  }

  draw() {
    this.context.clearRect(0, 0, this.width, this.height);
    if (!this.viewport.character || !this.viewport.single) return;
    for (const layer of this.layers) if (layer.on) layer.draw(this);
  }

  // --- shapes

  dot([x, y], radius, fill, { ring = this.colours.panel, width = 1.5 } = {}) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    if (ring) {
      context.lineWidth = width;
      context.strokeStyle = ring;
      context.stroke();
    }
  }

  diamond([x, y], radius, fill, ring = this.colours.panel) {
    const { context } = this;
    context.beginPath();
    context.moveTo(x, y - radius);
    context.lineTo(x + radius, y);
    context.lineTo(x, y + radius);
    context.lineTo(x - radius, y);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = ring;
    context.stroke();
  }

  line(points, colour, width = 1.5, dash = []) {
    const { context } = this;
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.setLineDash(dash);
    context.lineWidth = width;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.strokeStyle = colour;
    context.stroke();
    context.setLineDash([]);
  }

  arrow(from, to, colour, width = 2) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    if (length < 2) return;
    const [ux, uy] = [dx / length, dy / length];
    const tip = Math.min(8, length * 0.6);
    this.line([from, to], colour, width);
    this.line([
      [to[0] - tip * ux - tip * 0.55 * uy, to[1] - tip * uy + tip * 0.55 * ux], to,
      [to[0] - tip * ux + tip * 0.55 * uy, to[1] - tip * uy - tip * 0.55 * ux],
    ], colour, width);
  }

  label(text, [x, y], { colour = this.colours.panel, back = this.colours.ink } = {}) {
    const { context } = this;
    context.font = `12px ${this.font}`;
    const width = Math.ceil(context.measureText(text).width) + 14;
    const left = Math.min(Math.max(x, 4), this.width - width - 4);
    const top = Math.min(Math.max(y, 4), this.height - 24);
    context.fillStyle = back;
    context.beginPath();
    context.roundRect(left, top, width, 20, 5);
    context.fill();
    context.fillStyle = colour;
    context.textBaseline = 'middle';
    context.fillText(text, left + 7, top + 10.5);
  }

  // --- the pointer

  #listen(holder) {
    const at = (event) => {
      const { left, top } = holder.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    const canvas = this.viewport.canvas;
    holder.addEventListener('pointerdown', (event) => {
      if (event.target !== canvas || event.button !== 0 || this.drag) return;
      const [x, y] = at(event);
      const found = this.#find(x, y);
      const drag = found?.layer.press(found.target, event, x, y);
      if (!drag) return;
      event.preventDefault();
      event.stopPropagation();
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      this.drag = drag;
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = at(event);
      if (this.drag) this.drag.move(x, y, event);
      else if (event.buttons === 0) this.#hover(x, y);
    });
    const end = (cancelled) => () => {
      const { drag } = this;
      this.drag = null;
      drag?.end(cancelled);
    };
    canvas.addEventListener('pointerup', end(false));
    canvas.addEventListener('pointercancel', end(true));
    canvas.addEventListener('pointerleave', () => this.drag || this.#hover(-1, -1));
  }

  // Escape during a drag takes it back. Returns whether there was one.
  cancel() {
    if (!this.drag) return false;
    const { drag } = this;
    this.drag = null;
    drag.end(true);
    return true;
  }

  #find(x, y) {
    if (!this.viewport.character || !this.viewport.single) return null;
    for (const layer of [...this.layers].reverse()) {
      const target = layer.on ? layer.hit(x, y) : null;
      if (target !== null && target !== undefined) return { layer, target };
    }
    return null;
  }

  #hover(x, y) {
    const found = x < 0 ? null : this.#find(x, y);
    if (this.hovered && this.hovered.layer !== found?.layer) this.hovered.layer.hover?.(null);
    found?.layer.hover?.(found.target, x, y);
    if (Boolean(found) !== Boolean(this.hovered) || found) this.viewport.dirty = true;
    this.hovered = found;
    this.viewport.canvas.style.cursor = found ? (found.layer.cursor ?? 'pointer') : '';
  }
}
