// The page: puts stage, character, playback and panels together and draws while something changes.
import { Vector2, Vector3 } from 'three';
import { loadCharacter } from './character.js';
import { ClipList } from './clips.js';
import { readFacts, readModel, readOptions } from './embedded.js';
import { listen } from './keys.js';
import { Meter } from './meter.js';
import { Playback, REST } from './playback.js';
import { Quality, probe } from './quality.js';
import { Stage, VIEWS } from './scene.js';
import { SkeletonOverlay } from './skeleton.js';
import { Timeline } from './timeline.js';

const byId = (id) => document.getElementById(id);
const LONGEST_STEP = 0.1; // seconds: after a pause of the browser the clip does not leap

function fail(sentence) {
  document.body.dataset.state = 'error';
  byId('message').setAttribute('role', 'alert');
  byId('message-text').textContent = sentence;
}

async function start() {
  const graphics = probe();
  if (!graphics) {
    throw new Error('This browser cannot draw in 3D: WebGL 2 is missing or switched off. Switch on hardware acceleration in its settings, or open the page in another browser.');
  }
  const facts = readFacts();
  const options = readOptions();
  if (options.text('quality') === 'full') graphics.software = false;
  return new Page(facts, options, await readCharacter(facts), graphics);
}

async function readCharacter(facts) {
  try {
    return await loadCharacter(readModel(), facts);
  } catch (error) {
    throw new Error(`The character in this page could not be read: ${error.message}`);
  }
}

class Page {
  constructor(facts, options, character, graphics) {
    this.facts = facts;
    this.character = character;
    this.stage = new Stage(byId('picture'), facts, graphics.software);
    this.stage.scene.add(character.root);
    if (graphics.software) character.dullMetal();
    this.playback = new Playback(character, facts);
    this.overlay = new SkeletonOverlay(character, facts);
    this.meter = new Meter(byId('meter'));
    this.quality = new Quality(this.stage, graphics.software);
    this.graphics = graphics;
    this.hasMesh = character.meshes.length > 0;
    this.hasBones = facts.bones.length > 0;
    this.shows = { skeleton: !this.hasMesh, parts: false, wireframe: false, follow: true };
    this.travelled = new Vector3();
    this.dirty = true;
    this.clipList = new ClipList(facts.clips, (index) => this.select(index, this.playback.clip ? null : true));
    this.timeline = new Timeline(this.playback, () => this.changed());
    byId('transport').hidden = !facts.clips.length;
    this.#title();
    this.#tools();
    this.#keys();
    this.#pointer();
    document.body.dataset.bare = options.flag('bare', false);
    addEventListener('resize', () => this.#resize());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#repaint());
    this.#resize();
    this.#begin(options);
    this.stage.controls.addEventListener('change', () => { this.dirty = true; });
  }

  #title() {
    const { facts } = this;
    const count = (n, one, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
    byId('name').textContent = facts.name;
    byId('name').title = facts.name;
    const height = facts.high[1] - facts.low[1];
    const pieces = [facts.bones.length && count(facts.bones.length, 'bone'), this.hasMesh && count(facts.triangles, 'triangle')];
    byId('numbers').textContent = [...pieces.filter(Boolean), `${+height.toPrecision(2)} m`].join(' · ');
    byId('about').textContent = `Squares on the ground are ${+this.stage.ground.side.toPrecision(2)} m wide. Written by ${facts.generator}; drawn with three.js.`;
  }

  #tools() {
    for (const name of Object.keys(this.shows)) byId(name).addEventListener('click', () => this.show(name, !this.shows[name]));
    byId('skeleton').disabled = !this.hasBones || !this.hasMesh;
    byId('parts').disabled = !this.hasBones || !this.hasMesh;
    byId('wireframe').disabled = !this.hasMesh;
    byId('follow').disabled = !this.facts.clips.length;
    byId('reset').addEventListener('click', () => this.look('quarter'));
    byId('help').addEventListener('click', () => byId('help-sheet').showModal());
    for (const button of document.querySelectorAll('#tools button')) button.setAttribute('aria-label', button.dataset.tip);
  }

  #keys() {
    const { playback, timeline } = this;
    const then = (action) => (event) => {
      action(event);
      this.changed();
    };
    const press = (id) => () => byId(id).disabled || byId(id).click();
    const views = Object.keys(VIEWS).map((name, i) => [`${i + 1}`, () => this.look(name)]);
    listen({
      ' ': then(() => playback.toggle()),
      ArrowLeft: then((event) => playback.step(event.shiftKey ? -10 : -1)),
      ArrowRight: then((event) => playback.step(event.shiftKey ? 10 : 1)),
      Home: then(() => playback.seek(0)),
      End: then(() => playback.seek(playback.duration)),
      ArrowUp: () => this.select(this.clipList.neighbour(playback.index, -1), null),
      ArrowDown: () => this.select(this.clipList.neighbour(playback.index, 1), null),
      '/': () => byId('search').hidden || byId('search').focus(),
      '-': () => timeline.setSpeed(playback.speed - 0.1),
      '+': () => timeline.setSpeed(playback.speed + 0.1),
      '=': () => timeline.setSpeed(playback.speed + 0.1),
      l: press('loop'),
      s: press('skeleton'),
      c: press('parts'),
      w: press('wireframe'),
      f: press('follow'),
      r: press('reset'),
      '?': press('help'),
      ...Object.fromEntries(views),
    });
  }

  // The name of the bone under the mouse.
  #pointer() {
    const label = byId('bone-name');
    const canvas = byId('picture');
    const place = new Vector2();
    canvas.addEventListener('pointermove', (event) => {
      const looking = this.shows.skeleton && event.buttons === 0 && event.pointerType === 'mouse';
      place.set((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight);
      const name = looking ? this.overlay.nameAt(place, this.stage.camera) : null;
      label.hidden = !name;
      if (name) {
        label.textContent = name;
        label.style.left = `${event.clientX + 14}px`;
        label.style.top = `${event.clientY + 14}px`;
      }
    });
    canvas.addEventListener('pointerleave', () => { label.hidden = true; });
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      fail('The graphics driver stopped drawing this page. Reload it to go on.');
    });
  }

  #begin(options) {
    const { playback, timeline } = this;
    const wanted = options.text('clip');
    const first = wanted === null ? this.facts.first_clip : this.clipList.find(wanted) ?? this.facts.first_clip;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    playback.loop = options.flag('loop', true);
    if (options.number('speed') !== null) timeline.setSpeed(options.number('speed'));
    this.select(first, !options.flag('paused', calm));
    if (options.number('time') !== null) playback.seek(options.number('time'));
    for (const name of Object.keys(this.shows)) {
      if (!byId(name).disabled) this.show(name, options.flag(name, this.shows[name]));
      else byId(name).setAttribute('aria-pressed', this.shows[name] && name !== 'follow');
    }
    this.look(options.text('view') in VIEWS ? options.text('view') : 'quarter');
    this.changed();
  }

  // `play` is whether to play; null goes on as before.
  select(index, play) {
    const playing = play ?? this.playback.playing;
    this.playback.select(index);
    this.playback.playing = playing && index !== REST && this.playback.duration > 0;
    this.clipList.mark(index);
    this.changed();
  }

  show(name, on) {
    this.shows[name] = on;
    byId(name).setAttribute('aria-pressed', on);
    if (name === 'parts') {
      this.character.showParts(on);
      this.overlay.paint(!on);
    }
    if (name === 'wireframe' || name === 'parts') this.#wires();
    if (name === 'skeleton') byId('bone-name').hidden = true;
    this.dirty = true;
  }

  #wires() {
    this.character.showWires(this.shows.wireframe, this.stage.wire.colour, this.stage.wire.opacity);
  }

  look(view) {
    this.#carry();
    this.stage.frame(VIEWS[view]);
    this.dirty = true;
  }

  changed() {
    this.timeline.refresh();
    this.dirty = true;
  }

  #resize() {
    const bare = document.body.dataset.bare === 'true';
    const narrow = innerWidth <= 640;
    const left = bare || narrow ? 0 : 260;
    const top = !bare && narrow ? innerHeight * 0.3 : 0;
    this.stage.resize({ left, right: bare || narrow ? 0 : 68, top, bottom: bare || byId('transport').hidden ? 0 : 84 });
    this.dirty = true;
  }

  #repaint() {
    this.stage.paint();
    this.#wires();
    this.dirty = true;
  }

  #carry() {
    this.playback.travelled(this.travelled);
    if (this.shows.follow) this.stage.follow(this.travelled);
  }

  // One turn of the loop; draws only where something changed.
  turn(seconds, now) {
    const began = performance.now();
    const moved = this.playback.advance(Math.min(seconds, LONGEST_STEP));
    if (moved) this.timeline.tick();
    if (moved && !this.playback.playing) this.timeline.refresh();
    this.#carry();
    this.stage.controls.update();
    if (moved || this.dirty) {
      this.quality.moving(now);
      this.#draw();
      this.meter.count(now, performance.now() - began);
    } else {
      this.meter.rest();
      if (this.quality.wantsSharp(now)) this.#draw();
    }
  }

  #draw() {
    this.dirty = false;
    this.character.root.updateMatrixWorld(true);
    if (this.shows.skeleton) this.overlay.update();
    this.stage.render(this.travelled, this.shows.skeleton ? this.overlay.scene : null);
  }

  state() {
    const { playback, shows } = this;
    return {
      clip: playback.clip?.name ?? null, time: playback.time, frame: playback.frame, duration: playback.duration,
      playing: playback.playing, speed: playback.speed, loop: playback.loop, ...shows,
      triangles: this.character.triangles, graphics: this.graphics.name, pixels: this.quality.share,
    };
  }
}

function run(page) {
  let last = null;
  return new Promise((resolve) => {
    const turn = (now) => {
      if (document.body.dataset.state === 'error') return;
      page.turn(last === null ? 0 : (now - last) / 1000, now);
      last = now;
      if (document.body.dataset.state === 'loading') {
        document.body.dataset.state = 'ready';
        resolve(page);
      }
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  });
}

addEventListener('error', (event) => fail(`Something went wrong in this page: ${event.message}`));
addEventListener('unhandledrejection', (event) => fail(`Something went wrong in this page: ${event.reason?.message ?? event.reason}`));

let page = null;
const ready = new Promise((resolve) => { setTimeout(resolve, 0); }) // show 'Loading' first
  .then(start)
  .then((made) => {
    page = made;
    return run(made);
  })
  .then(() => true)
  .catch((error) => {
    fail(error.message);
    return false;
  });

window.gambol = {
  ready,
  get state() { return page?.state() ?? null; },
  get frameTimes() { return page ? [...page.meter.intervals] : []; },
  get scriptTimes() { return page ? [...page.meter.work] : []; },
  joints: () => page.character.joints(),
  bounds: () => page.character.bounds(),
};
