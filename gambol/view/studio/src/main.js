// The studio's page: puts everything together and runs the loop. Start reading here, then studio.js.
import './style/studio.css';
import { probe } from '../../player/src/quality.js';
import { Api } from './api.js';
import { CharacterPanel } from './character_panel.js';
import { byId, element, fill } from './dom.js';
import { addConstraint } from './document.js';
import * as documents from './document.js';
import { startDrop } from './drop.js';
import { FacingLayer, ForceLayer } from './ground_layers.js';
import { JointLayer } from './joint_layer.js';
import { fillHelp, listen } from './key_map.js';
import { MakePanel } from './make_panel.js';
import { ask, complain, fail, startTooltips } from './notices.js';
import { ComparePanel, ExportPanel, PhysicsPanel } from './other_panels.js';
import { PathLayer } from './path_layer.js';
import { PathPanel } from './path_panel.js';
import { PinLayer } from './pin_layer.js';
import { PosePanel } from './pose_panel.js';
import { PromptBar } from './prompt_bar.js';
import { SidePanel } from './side_panel.js';
import { Socket } from './socket.js';
import { Store } from './store.js';
import { Studio } from './studio.js';
import { Theme } from './theme.js';
import { Timeline } from './timeline.js';
import { TimeScale } from './time_scale.js';
import { Rail, toggleSide, TopBar, WORKSPACES } from './top_bar.js';
import { Viewport } from './viewport.js';
import { CellLabels, RunningCard, ViewTools, Welcome } from './view_tools.js';

const NO_GRAPHICS = 'This browser cannot draw in 3D: WebGL 2 is missing or switched off. Switch on hardware acceleration in its settings, or open the page in another browser.';
const NO_TOKEN = 'The address lacks the token. Open the address that "gambol studio" printed in its terminal.';

async function start() {
  const options = new URLSearchParams(location.search);
  const graphics = probe();
  if (!graphics) throw Object.assign(new Error(NO_GRAPHICS), { title: 'No 3D graphics' });
  if (!options.get('token')) throw Object.assign(new Error(NO_TOKEN), { title: 'Not let in' });
  const api = new Api(options.get('token'));
  let server;
  try {
    server = await api.get('/server');
  } catch (error) {
    throw Object.assign(error, { title: error.status === 401 ? 'Not let in' : 'No answer' });
  }
  const socket = new Socket(api.address('/live'));
  const studio = new Studio(api, socket);
  studio.server = server;
  if (options.get('quality') === 'full') graphics.software = false;
  const viewport = new Viewport(byId('view'), graphics, studio.playhead);
  studio.viewport = viewport;
  const theme = new Theme(() => { viewport.repaint(); studio.changed(); });
  build(studio, theme, graphics);
  byId('meter').hidden = !options.has('meter');
  const { characters } = await api.get('/characters');
  for (const character of characters) studio.characters.set(character.id, character);
  await studio.autosave.load();
  if (!studio.character && characters.length) studio.choose(characters.at(-1).id);
  if (!characters.length) studio.store.show({ panel: 'character' });
  socket.connect();
  return studio;
}

function build(studio, theme, graphics) {
  const { viewport, store, playhead } = studio;
  const openFiles = () => byId('file').click();
  byId('file').accept = [...studio.server.formats.read, '.zip', '.bin', '.png', '.jpg', '.jpeg', '.webp', '.mtl'].join(',');
  byId('file').addEventListener('change', (event) => {
    studio.upload(event.target.files);
    event.target.value = '';
  });
  startDrop(studio);
  startTooltips();

  const [joints, pins, path] = [new JointLayer(studio, viewport.ink), new PinLayer(studio), new PathLayer(studio)];
  viewport.ink.layers = [new FacingLayer(studio), new ForceLayer(studio), path, pins, joints];
  studio.jointPlace = (name) => joints.place(name);

  const open = (panel) => {
    if (panel !== 'pose') studio.leavePose();
    if (store.view.group && panel !== 'make') store.show({ group: null });
    document.body.dataset.side = 'open';
    store.show({ panel });
  };
  const add = (kind) => {
    if (!studio.character) return;
    if (kind === 'path') open('path');
    else if (kind === 'pose') { if (studio.posing.active) studio.keyPose(playhead.time); else open('pose'); }
    else if (kind === 'pin') { if (joints.on && store.view.joint) studio.pinJoint(); else open('pose'); }
    else freeze(studio);
  };

  const dock = byId('dock');
  const [promptBox, timelineBox] = [element('div', { id: 'prompt-bar' }), element('div', { id: 'timeline' })];
  fill(dock, promptBox, timelineBox);
  const prompt = new PromptBar(studio, promptBox);
  const timeline = new Timeline(studio, timelineBox, { add, edit: () => prompt.focus() });
  studio.timeline = timeline;
  const tools = new ViewTools(studio);
  const panels = {
    character: new CharacterPanel(studio, openFiles), make: new MakePanel(studio), pose: new PosePanel(studio, joints), path: new PathPanel(studio, path),
    physics: new PhysicsPanel(studio), compare: new ComparePanel(studio), export: new ExportPanel(studio),
  };
  const parts = [
    new TopBar(studio, theme), new Rail(studio, open), new SidePanel(studio, panels), path, prompt, timeline, tools, new CellLabels(studio),
    new RunningCard(studio), new Welcome(studio, openFiles), new Hint(studio),
  ];
  for (const part of parts) studio.add(part);

  const groups = keyGroups({ studio, timeline, tools, prompt, open, openFiles, theme, joints });
  listen(groups);
  fillHelp(groups, `Gambol ${studio.server.version}; drawn with three.js. Everything stays on this computer${graphics.software ? '. Graphics are computed in software here' : ''}.`);
}

// One line over the picture that says what the pointer does in this workspace.
class Hint {
  constructor(studio) {
    this.studio = studio;
  }

  refresh() {
    const { view, viewport, scene, facts } = this.studio;
    const hasPath = scene.constraints.some(({ kind }) => kind === 'path');
    const said = {
      pose: facts?.bones.length && 'Drag a joint: the body follows. Double-click holds a joint.',
      path: !hasPath && 'Press on the ground and draw where the character goes.',
    }[view.panel];
    const text = viewport.character ? (view.group ? 'Click a variant to keep it.' : said || '') : '';
    byId('hint').hidden = !text;
    byId('hint').textContent = text;
    byId('hint').classList.toggle('above', viewport.cells.length > 1);
  }
}

function freeze(studio) {
  const [clip] = studio.character.clips ?? [];
  if (!clip) {
    complain(new Error('Freezing keeps limbs of a clip of the file, and this file has no clips.'));
    return;
  }
  let made = null;
  studio.edit('Add freeze', (scene) => { made = addConstraint(scene, { kind: 'freeze', clip: scene.clip ?? clip.name, limbs: ['upper body'] }); });
  studio.store.show({ selected: { type: 'constraint', id: made }, panel: 'make' });
}

function keyGroups({ studio, timeline, tools, prompt, open, openFiles, theme, joints }) {
  const { playhead, viewport } = studio;
  const remove = () => timeline.remove();
  const escape = () => {
    if (viewport.ink.cancel()) return;
    if (studio.view.group) studio.store.show({ group: null });
    else studio.store.show({ selected: null });
  };
  const bare = () => { document.body.dataset.bare = String(document.body.dataset.bare !== 'true'); };
  const marked = () => studio.view.joint && joints.on && joints.hold(studio.view.joint);
  return [
    ['Time', [
      ['Space', 'play, pause', [' '], () => playhead.toggle()],
      ['← →', 'one frame; with Shift ten', ['ArrowLeft', 'Shift+ArrowLeft'], (e) => playhead.step(e.shiftKey ? -10 : -1)],
      [null, null, ['ArrowRight', 'Shift+ArrowRight'], (e) => playhead.step(e.shiftKey ? 10 : 1)],
      ['Home End', 'first, last frame', ['Home'], () => playhead.seek(0)],
      [null, null, ['End'], () => playhead.seek(playhead.duration)],
      ['− +', 'slower, faster', ['-'], () => timeline.changeSpeed(-1)],
      [null, null, ['+', '='], () => timeline.changeSpeed(1)],
    ]],
    ['Make', [
      ['/', 'write the sentence', ['/'], () => prompt.focus()],
      ['Ctrl Enter', 'generate', ['Ctrl+Enter'], () => studio.generate()],
      ['A', 'add an action', ['a'], () => timeline.addSegment()],
      ['B', 'split at the playhead', ['b'], () => timeline.split()],
      ['L', 'seamless loop', ['l'], () => byId('loop').click()],
      ['N', 'another seed', ['n'], () => studio.edit('Seed', (s) => { s.seed = (s.seed * 7919 + 104729) % 100000; })],
      ['Del', 'delete what is selected', ['Delete', 'Backspace'], remove],
    ]],
    ['Pose', [
      ['drag', 'move a joint, the body follows'],
      ['K', 'set the pose as a key', ['k'], () => studio.posing.active && studio.keyPose(playhead.time)],
      ['P', 'pin the joint in time', ['p'], () => studio.pinJoint()],
      ['H', 'hold the joint, let it go', ['h'], marked],
    ]],
    ['View', [
      ['drag', 'turn'], ['right-drag', 'move'], ['scroll', 'zoom'],
      ['V', 'next view', ['v'], () => tools.nextView()],
      ['R', 'reset the view', ['r'], () => viewport.look(viewport.view)],
      ['S', 'skeleton', ['s'], () => tools.toggle('skeleton')],
      ['C', 'part colours', ['c'], () => tools.toggle('parts')],
      ['W', 'wireframe', ['w'], () => tools.toggle('wireframe')],
      ['F', 'camera follows', ['f'], () => tools.toggle('follow')],
      ['\\', 'hide or show the panel', ['\\'], toggleSide],
      ['Tab', 'next control'], ['.', 'the picture alone', ['.'], bare],
    ]],
    ['Everything', [
      ['Ctrl Z', 'undo', ['Ctrl+z'], () => studio.undo()],
      ['Ctrl Shift Z', 'do again', ['Ctrl+Shift+z', 'Ctrl+y'], () => studio.redo()],
      ['Ctrl O', 'open a file', ['Ctrl+o'], openFiles],
      ['1 … 7', 'workspaces', [], null],
      ...WORKSPACES.map(([name], i) => [null, null, [String(i + 1)], () => open(name)]),
      ['T', 'dark or light', ['t'], () => theme.toggle()],
      ['Esc', 'cancel a drag, select nothing', ['Escape'], escape],
      ['?', 'this list', ['?'], () => byId('help').showModal()],
    ]],
  ];
}

function run(studio) {
  let last = null;
  const { playhead, viewport } = studio;
  let seen = playhead.time;
  return new Promise((resolve) => {
    const turn = (now) => {
      if (document.body.dataset.state === 'error') return;
      const moved = playhead.advance(last === null ? 0 : (now - last) / 1000);
      last = now;
      studio.refresh();
      if (moved) studio.timeline.tick();
      if (seen !== playhead.time) studio.poseAt(playhead.time);
      seen = playhead.time;
      viewport.turn(moved, now);
      if (document.body.dataset.state === 'loading') {
        document.body.dataset.state = 'ready';
        resolve(true);
      }
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  });
}

addEventListener('error', (event) => fail('Something went wrong in this page', `${event.message}. What was made is kept; reload the page to go on.`));
addEventListener('unhandledrejection', (event) => complain(event.reason));

let studio = null;
const ready = start().then((made) => {
  studio = made;
  return run(made);
}).catch((error) => {
  console.error(error);
  fail(error.title ?? 'The studio could not start', error.message);
  return false;
});

// For scripts and tests.
window.gambol = {
  ready,
  get studio() { return studio; },
  get state() {
    if (!studio) return null;
    const { playhead, viewport, store } = studio;
    return {
      character: studio.character?.id ?? null, loaded: studio.present, take: studio.scene.take, cells: viewport.cells.map(({ id }) => id),
      moving: Boolean(viewport.cells[0]?.motion), time: playhead.time, duration: playhead.duration, playing: playhead.playing,
      undo: store.undoLabel, redo: store.redoLabel, triangles: viewport.character?.triangles ?? 0, graphics: viewport.graphics.name,
    };
  },
  get frameTimes() { return studio ? [...studio.viewport.meter.intervals] : []; },
  joints: () => studio.viewport.character.joints(),
  project: (point) => studio.viewport.project(point).slice(0, 2),
  ask, parts: { Store, TimeScale, documents },
};
