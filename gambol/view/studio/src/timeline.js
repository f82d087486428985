// The timeline: transport and ruler, segments with their sentences, and a track each for pins, pose keys, path and freezes.
//
// Segments: click selects, double-click edits, edges drag (with Shift the next one gives way), Delete deletes, B splits at
// the playhead. Constraints: click selects, drag moves, the ends of what lasts stretch it. Ctrl while dragging does not snap.
import {
  addSegment, deleteConstraint, deleteSegment, moveConstraint, moveEdge, setPrompt, span, splitSegment, stretchConstraint, TRACKS,
} from './document.js';
import { element, fill, iconButton, keyed, press, seconds } from './dom.js';
import { icon } from './icons.js';
import { SPEEDS } from './playhead.js';
import { TimeScale } from './time_scale.js';

const TITLES = { pin: 'Pins', pose: 'Pose keys', path: 'Path', freeze: 'Freeze' };
const ADD = { pin: 'Add a pin at the playhead', pose: 'Set the pose as a key at the playhead', path: 'Draw a path', freeze: 'Keep limbs of a clip as they are' };
const ICONS = { pin: 'pin', pose: 'key', path: 'path', freeze: 'freeze' };

export class Timeline {
  constructor(studio, box, { add, edit }) {
    this.studio = studio;
    this.add = add; // add(kind): what the + of a track does
    this.edit = edit; // edit(segment id): the sentence wants to be edited
    this.scale = new TimeScale();
    this.dragging = 0;
    this.play = iconButton('play', 'Play', () => studio.playhead.toggle(), { key: 'Space', id: 'play' });
    this.repeat = iconButton('loop', 'Repeat', () => this.toggleRepeat(), { id: 'repeat' });
    this.speed = element('button', { type: 'button', class: 'speed', 'aria-label': 'Speed', data: { tip: 'Speed', key: '− +' }, on: { click: () => this.changeSpeed(1, true) } });
    this.clock = element('output', { class: 'clock', 'aria-label': 'Time' });
    this.ruler = element('canvas', { class: 'ruler', 'aria-hidden': 'true' });
    this.scrub = element('input', { type: 'range', class: 'scrub', min: 0, step: 'any', 'aria-label': 'Time', id: 'scrubber', on: { input: () => this.#seek(+this.scrub.value) } });
    this.lanes = Object.fromEntries(['segments', ...TRACKS].map((name) => [name, element('div', { class: `lane ${name}`, data: { lane: name } })]));
    this.needle = element('i', { class: 'needle', 'aria-hidden': 'true' });
    this.area = element('div', { class: 'lanes' }, element('div', { class: 'lane time' }, this.ruler, this.scrub), Object.values(this.lanes), this.needle);
    const back = iconButton('back', 'One frame back', () => studio.playhead.step(-1), { key: '←' });
    const forth = iconButton('forth', 'One frame forward', () => studio.playhead.step(1), { key: '→' });
    const split = iconButton('split', 'Split at the playhead', () => this.split(), { key: 'B', id: 'split' });
    const more = iconButton('add', 'Add a segment', () => this.addSegment(), { key: 'A', id: 'add-segment' });
    for (const made of [back, forth, split, more, this.repeat]) made.classList.add('small');
    fill(
      box,
      element(
        'div', { class: 'heads' }, element('div', { class: 'head transport' }, this.play, back, forth, this.repeat, this.speed, this.clock),
        element('div', { class: 'head' }, element('span', { class: 'grow', text: 'Actions' }), split, more),
        TRACKS.map((kind) => this.#head(kind)),
      ),
      this.area,
    );
    this.#listen();
    new ResizeObserver(() => { this.width = this.area.clientWidth; studio.changed(); }).observe(this.area);
  }

  #head(kind) {
    const plus = iconButton('add', ADD[kind], () => this.add(kind), { id: `add-${kind}` });
    plus.classList.add('small');
    return element('div', { class: 'head' }, icon(ICONS[kind]), element('span', { class: 'grow', text: TITLES[kind] }), plus);
  }

  // --- verbs

  split() {
    const { studio } = this;
    let made = null;
    studio.edit('Split', (scene) => { made = splitSegment(scene, studio.playhead.time, studio.lengths); });
    if (made) studio.store.show({ selected: { type: 'segment', id: made } });
  }

  addSegment() {
    const { studio } = this;
    let made = null;
    const after = studio.view.selected?.type === 'segment' ? studio.view.selected.id : null;
    studio.edit('Add action', (scene) => { made = addSegment(scene, after); });
    studio.store.show({ selected: { type: 'segment', id: made } });
    this.edit(made);
  }

  // Delete what is selected; whether there was something.
  remove() {
    const { selected } = this.studio.view;
    if (!selected) return false;
    if (selected.type === 'segment') this.studio.edit('Delete action', (scene) => deleteSegment(scene, selected.id));
    else this.studio.edit('Delete', (scene) => deleteConstraint(scene, selected.id));
    this.studio.store.show({ selected: null });
    return true;
  }

  toggleRepeat() {
    this.studio.playhead.loop = !this.studio.playhead.loop;
    this.studio.changed();
  }

  changeSpeed(by, round = false) {
    const { playhead } = this.studio;
    const at = SPEEDS.indexOf(playhead.speed) + by;
    playhead.speed = SPEEDS[round ? (at + SPEEDS.length) % SPEEDS.length : Math.min(Math.max(at, 0), SPEEDS.length - 1)];
    this.studio.changed();
  }

  // --- drawing

  refresh() {
    const { studio, scale } = this;
    const { playhead, scene, view } = studio;
    scale.fit(Math.max(studio.length, playhead.duration), this.width ?? this.area.clientWidth);
    this.scrub.max = scale.length;
    keyed(this.play, playhead.playing, () => icon(playhead.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', playhead.playing ? 'Pause' : 'Play');
    this.play.dataset.tip = playhead.playing ? 'Pause' : 'Play';
    press(this.repeat, playhead.loop);
    this.speed.textContent = `${playhead.speed}×`;
    this.#drawRuler();
    const size = [scale.width, scale.length];
    keyed(this.lanes.segments, [size, studio.places, view.selected, studio.activeJob && [studio.activeJob.id, studio.jobs.segmentOf(studio.activeJob.id)]], () => this.#segments());
    for (const kind of TRACKS) {
      const mine = scene.constraints.filter((c) => c.kind === kind || (kind === 'pin' && ['look_at', 'hold'].includes(c.kind)) || (kind === 'path' && c.kind === 'speed'));
      keyed(this.lanes[kind], [size, mine, view.selected, studio.length], () => mine.map((constraint) => this.#constraint(constraint)));
    }
    this.tick();
  }

  // A new moment: only the needle and the clock move.
  tick() {
    const { playhead } = this.studio;
    this.needle.style.transform = `translateX(${this.scale.x(playhead.time).toFixed(1)}px)`;
    const text = `${playhead.time.toFixed(2)} / ${playhead.duration.toFixed(2)}`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    if (document.activeElement !== this.scrub || playhead.playing) this.scrub.value = playhead.time;
    this.scrub.setAttribute('aria-valuetext', `${playhead.time.toFixed(2)} seconds`);
  }

  #drawRuler() {
    const { ruler, scale } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const key = [scale.width, scale.length, ratio, document.documentElement.dataset.theme].join();
    if (ruler.drawnFor === key) return;
    ruler.drawnFor = key;
    const height = 28;
    Object.assign(ruler, { width: scale.width * ratio, height: height * ratio });
    Object.assign(ruler.style, { width: `${scale.width}px`, height: `${height}px` });
    const context = ruler.getContext('2d');
    const style = getComputedStyle(document.documentElement);
    context.scale(ratio, ratio);
    context.font = `10.5px ${style.getPropertyValue('--font')}`;
    context.textBaseline = 'middle';
    for (const { time, label } of scale.marks()) {
      const x = Math.round(scale.x(time)) + 0.5;
      context.fillStyle = style.getPropertyValue(label ? '--line-strong' : '--line');
      context.fillRect(x - 0.5, label ? 14 : 21, 1, height);
      if (label) {
        context.fillStyle = style.getPropertyValue('--ink-3');
        context.fillText(label, x + 4, 12);
      }
    }
  }

  #segments() {
    const { studio, scale } = this;
    const { places, view, activeJob } = studio;
    const running = activeJob?.kind === 'animate' ? studio.jobs.segmentOf(activeJob.id) : null;
    const made = places.map(({ segment, start, end }, i) => {
      const chosen = view.selected?.type === 'segment' && view.selected.id === segment.id;
      const estimated = segment.seconds === null;
      const box = element(
        'button', {
          type: 'button', class: `segment${estimated ? ' estimated' : ''}${running === i && places.length > 1 ? ' made-now' : ''}`, 'aria-pressed': String(chosen),
          data: { segment: segment.id, tip: `${segment.prompt || 'No sentence yet'}, ${seconds(end - start)}${estimated ? ' (its own length)' : ''}`, id: `segment-${segment.id}` },
        },
        element('span', { class: 'text-of', text: segment.prompt || 'Double-click to write' }),
      );
      Object.assign(box.style, { left: `${scale.x(start) + (i ? 1 : 0)}px`, width: `${Math.max(scale.x(end - start) - 2, 8)}px` });
      return box;
    });
    const edges = places.map(({ segment, end }) => {
      const edge = element('i', { class: 'edge', data: { edge: segment.id, tip: 'Drag the edge; with Shift the next action gives way' } });
      edge.style.left = `${scale.x(end)}px`;
      return edge;
    });
    return [...made, ...edges];
  }

  #constraint(constraint) {
    const { studio, scale } = this;
    const [a, b] = span(constraint, studio.length);
    const chosen = studio.view.selected?.type === 'constraint' && studio.view.selected.id === constraint.id;
    const point = a === b;
    const made = element(
      'button', {
        type: 'button', class: `mark ${point ? 'point' : 'bar'}`, 'aria-pressed': String(chosen), 'aria-label': describe(constraint),
        data: { constraint: constraint.id, tip: `${describe(constraint)}, ${point ? seconds(a) : `${seconds(a)} to ${seconds(b)}`}`, id: `mark-${constraint.id}` },
      },
      point ? element('i') : element('span', { class: 'text-of', text: describe(constraint) }),
    );
    made.style.left = `${scale.x(a)}px`;
    if (!point) made.style.width = `${Math.max(scale.x(b - a), 10)}px`;
    if (!point && (constraint.interval || constraint.spans)) made.append(element('i', { class: 'end start', data: { end: '0' } }), element('i', { class: 'end stop', data: { end: '1' } }));
    return made;
  }

  // --- the pointer

  #listen() {
    const { area } = this;
    area.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || event.target === this.scrub || event.target.matches('input')) return;
      const { edge } = event.target.dataset;
      const mark = event.target.closest('.mark');
      const segment = event.target.closest('.segment');
      if (edge) this.#dragEdge(event, +edge);
      else if (mark) this.#dragMark(event, mark);
      else if (segment) this.studio.store.show({ selected: { type: 'segment', id: +segment.dataset.segment } });
      else this.studio.store.show({ selected: null });
    });
    area.addEventListener('dblclick', (event) => {
      const segment = event.target.closest('.segment');
      if (segment) this.#editInPlace(segment, +segment.dataset.segment);
    });
    area.addEventListener('keydown', (event) => {
      const segment = event.target.closest('.segment');
      if (segment && event.key === 'Enter') {
        event.preventDefault();
        event.stopPropagation();
        this.#editInPlace(segment, +segment.dataset.segment);
      }
    });
    const scrubbing = (event) => {
      this.studio.playhead.toggle(false);
      const move = (e) => this.#seek(this.#timeOf(e));
      move(event);
      this.#follow(event, move, () => {});
    };
    this.scrub.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.scrub.focus({ preventScroll: true });
      scrubbing(event);
    });
  }

  #seek(time) {
    this.studio.playhead.seek(time);
  }

  #timeOf(event) {
    return this.scale.time(event.clientX - this.area.getBoundingClientRect().left);
  }

  #others() {
    return [0, this.studio.playhead.time, ...this.studio.places.map(({ end }) => end)];
  }

  #dragEdge(event, id) {
    const { studio } = this;
    this.dragging += 1;
    const merge = `edge ${id} ${this.dragging}`;
    event.preventDefault();
    this.scale.held = true;
    studio.store.show({ selected: { type: 'segment', id } });
    const move = (e) => {
      const wanted = this.#timeOf(e);
      const time = e.ctrlKey ? wanted : this.scale.snap(Math.round(wanted * 20) / 20, [studio.playhead.time]);
      studio.edit('Drag edge', (scene) => moveEdge(scene, id, time, { roll: e.shiftKey, lengths: studio.lengths }), { merge });
    };
    this.#follow(event, move, () => { this.scale.held = false; });
  }

  #dragMark(event, mark) {
    const { studio } = this;
    const id = +mark.dataset.constraint;
    const end = event.target.dataset.end;
    studio.store.show({ selected: { type: 'constraint', id } });
    const constraint = studio.scene.constraints.find((c) => c.id === id);
    const [start] = span(constraint, studio.length);
    const grip = this.#timeOf(event) - start;
    this.dragging += 1;
    const merge = `mark ${id} ${this.dragging}`;
    let begun = false;
    this.scale.held = true;
    const move = (e) => {
      if (!begun && Math.abs(e.clientX - event.clientX) < 3) return;
      begun = true;
      const wanted = this.#timeOf(e) - (end === undefined ? grip : 0);
      const time = Math.min(e.ctrlKey ? wanted : this.scale.snap(wanted, this.#others()), this.scale.length);
      studio.edit('Move in time', (scene) => {
        if (end === undefined) moveConstraint(scene, id, time);
        else stretchConstraint(scene, id, +end, time);
      }, { merge });
    };
    this.#follow(event, move, () => { this.scale.held = false; });
  }

  // Calls `move` with every movement of the pointer until it is let go.
  #follow(event, move, done) {
    const stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', stop);
      removeEventListener('pointercancel', stop);
      this.studio.store.endMerge();
      done();
      this.studio.changed();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', stop);
    addEventListener('pointercancel', stop);
  }

  #editInPlace(box, id) {
    const { studio } = this;
    const segment = studio.scene.segments.find((s) => s.id === id);
    const input = element('input', { class: 'text in-place', 'aria-label': 'Sentence', maxlength: 500, autocomplete: 'off', spellcheck: 'false' });
    input.value = segment.prompt;
    Object.assign(input.style, { left: box.style.left, minWidth: box.style.width });
    let over = false;
    const finish = (take) => {
      if (over) return;
      over = true;
      input.remove();
      if (take) studio.edit('Sentence', (scene) => setPrompt(scene, id, input.value));
    };
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') finish(true);
      if (event.key === 'Escape') finish(false);
    });
    input.addEventListener('blur', () => finish(true));
    this.area.append(input);
    input.focus();
    input.select();
  }
}

// A constraint in a few words.
export function describe(constraint) {
  const { kind } = constraint;
  if (kind === 'pin') return constraint.joint;
  if (kind === 'pose') return constraint.label ?? (constraint.pose.startsWith('poses/') ? 'Pose' : constraint.pose);
  if (kind === 'path') return `${constraint.points.length} points`;
  if (kind === 'freeze') return `${constraint.clip}: ${constraint.limbs.join(', ')}`;
  if (kind === 'look_at') return 'Look at';
  if (kind === 'hold') return `Hold ${constraint.limbs.join(', ')}`;
  return kind;
}
