// The smaller workspaces: physics, comparison and export.
import { button, choice, counted, element, emptyState, field, keyed, section, toggle } from './dom.js';
import { icon } from './icons.js';
import { isActive, remaining, STATE_WORDS } from './jobs.js';
import { complain, say } from './notices.js';
import { short } from './character_panel.js';
import { ONE_CLIP } from './studio.js';

const shownSomething = (studio) => studio.take?.state === 'done' || Boolean(!studio.scene.take && studio.scene.clip);

export class PhysicsPanel {
  constructor(studio) {
    this.studio = studio;
    this.element = element('div');
  }

  refresh() {
    const { studio } = this;
    const { server, trackJob, view } = studio;
    const progress = trackJob && studio.jobs.progressOf(trackJob.id);
    keyed(this.element, [server?.physics, shownSomething(studio), trackJob && [trackJob.id, trackJob.state, trackJob.error], progress?.done, view.physics, view.forces, studio.character?.id], () => this.#build(progress));
  }

  #build(progress) {
    const { studio } = this;
    const { server, trackJob, view } = studio;
    if (server && !server.physics) return [emptyState('physics', 'Physics is not installed', 'Install it with  pip install "gambol[physics]"  and start the studio again.')];
    if (!shownSomething(studio)) return [emptyState('physics', 'Nothing to track', 'Make a motion or choose a clip of the file first.')];
    const parts = [section(null, toggle('Physics', view.physics, (on) => this.#turn(on), { tip: 'The nearest motion that gravity allows, found in the background' }),
      element('p', { class: 'note', text: 'A simulated body follows the motion. The ghost is what it was asked to do.' }))];
    if (view.physics && trackJob) {
      if (isActive(trackJob)) parts.push(section('Tracking', bar(progress), element('p', { class: 'note', text: [STATE_WORDS[trackJob.state], remaining(progress)].filter(Boolean).join(' · ') }), button('Stop', () => studio.stop(trackJob), { kind: 'wide', icon: 'stop' })));
      if (trackJob.state === 'failed') parts.push(section(null, element('p', { class: 'notice bad' }, icon('warning'), element('span', { text: trackJob.error ?? 'It failed.' })), button('Try again', () => studio.track(), { kind: 'wide' })));
      if (trackJob.state === 'done') {
        parts.push(section('Shown', toggle('Ghost of the target', view.ghost !== false, (on) => studio.store.show({ ghost: on })), trackJob.result.contacts && toggle('Forces of the ground', view.forces !== false, (on) => studio.store.show({ forces: on }))),
          section('Result', (trackJob.notes ?? []).map((note) => element('p', { class: 'notice' }, element('span', { text: note }))), numbers(trackJob.result.metrics)));
      }
    }
    return parts;
  }

  #turn(on) {
    const { studio } = this;
    studio.store.show({ physics: on });
    const { trackJob } = studio;
    if (on && (!trackJob || ['failed', 'cancelled'].includes(trackJob.state))) studio.track();
  }
}

const METRICS = { skate: 'Foot skate', penetration: 'Penetration', tracking_error: 'Distance from the target', energy: 'Energy' };

function numbers(metrics) {
  const rows = Object.entries(METRICS).filter(([name]) => Number.isFinite(metrics?.[name])).map(([name, title]) => [title, metrics[name].toPrecision(3)]);
  return rows.length ? element('dl', { class: 'facts' }, rows.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })])) : null;
}

function bar(progress) {
  const fillBar = element('i');
  if (progress) fillBar.style.transform = `scaleX(${progress.done / Math.max(progress.total, 1)})`;
  return element('div', { class: progress ? 'progress' : 'progress unknown' }, fillBar);
}

export class ComparePanel {
  constructor(studio) {
    this.studio = studio;
    this.element = element('div');
  }

  refresh() {
    const { character, take, view } = this.studio;
    keyed(this.element, [character?.clips, take?.state, take?.id, view.compareClip, view.matched], () => this.#build());
  }

  #build() {
    const { studio } = this;
    const { character, take, view } = studio;
    if (!character?.clips?.length) return [emptyState('compare', 'No clip to compare with', 'This file has no clips of its own. Open a character that brings some.')];
    if (take?.state !== 'done') return [emptyState('compare', 'Nothing generated yet', 'Make a motion; then it can be seen beside a clip of the file, in step.')];
    const rows = character.clips.map((clip) => element('li', {}, element(
      'button', { type: 'button', class: 'item', 'aria-current': String(view.compareClip === clip.name), data: { id: `other-${clip.name}` }, on: { click: () => studio.compare(clip.name) } },
      icon('clip'), element('span', { class: 'name', text: short(clip.name), title: clip.name }), element('span', { class: 'aside', text: `${(clip.end - clip.start).toFixed(2)} s` }),
    )));
    const [a, b] = view.matched?.cycle_seconds ?? [];
    const said = !view.compareClip ? 'Choose the clip to show beside the motion.'
      : !view.matched ? 'Finding where their cycles meet …'
        : a && b ? `In step: a cycle lasts ${a.toFixed(2)} s in the original and ${b.toFixed(2)} s in the motion.` : 'Shown from the beginning of both: no cycle was found.';
    return [section('Original', element('ul', { class: 'list' }, rows), element('p', { class: 'note', text: said, role: 'status' }))];
  }
}

const FORMATS = [
  ['glb', 'glTF', 'The character with one more animation'], ['fbx', 'FBX', 'Blender, Maya, Unreal, Unity'], ['bvh', 'BVH', 'The skeleton alone'],
  ['usdc', 'USD', 'Skeleton and animation, binary'], ['usda', 'USD text', 'Readable by people'], ['usdz', 'USDZ', 'One packed file'],
  ['mjcf', 'MJCF', 'MuJoCo: body, joints and targets'], ['mp4', 'Film', 'A picture of it moving'], ['gif', 'GIF', 'A small film'],
];

export class ExportPanel {
  constructor(studio) {
    this.studio = studio;
    this.travel = 'as-is';
    this.fps = 30;
    this.format = 'glb';
    this.choose = element('div');
    this.command = element('div');
    this.files = element('div');
    this.element = element('div', {}, this.choose, this.command, this.files);
  }

  refresh() {
    const { studio } = this;
    const { server, take, scene, character } = studio;
    const ready = character?.state === 'ready' && (take ? take.state === 'done' : true);
    keyed(this.choose, [ready, server?.formats, this.format, this.travel, this.fps, scene.take, scene.clip, server?.usd, server?.physics], () => this.#choose(ready));
    const body = ready ? studio.exportBody(this.format, this) : null;
    const jobs = character ? studio.jobs.of(character.id, ['export', 'film', 'track']) : [];
    const command = jobs.find((job) => sameBody(job, body))?.command ?? null;
    keyed(this.command, [ready, command], () => (ready && command ? [section('The same on the command line', commandBox(command))] : []));
    keyed(this.files, [jobs.map((job) => [job.id, job.state, job.result?.files, job.error]), take?.result?.files], () => this.#files(jobs, take));
  }

  #set(changes) {
    Object.assign(this, changes);
    this.studio.changed();
  }

  #choose(ready) {
    const { studio } = this;
    const { server, take, scene } = studio;
    if (!ready) return [emptyState('export', 'Nothing to export yet', 'Open a character; make a motion, or choose a clip of the file.')];
    const offered = server?.formats.export ?? [];
    const grid = element('div', { class: 'formats', role: 'radiogroup', 'aria-label': 'Format' }, FORMATS.filter(([name]) => offered.includes(name) || name === 'gif').map(([name, title, text]) => element(
      'button', {
        type: 'button', role: 'radio', class: 'format', 'aria-checked': String(this.format === name), disabled: this.#missing(name) !== null,
        data: { id: `format-${name}`, tip: this.#missing(name) ?? text }, on: { click: () => this.#set({ format: name }) },
      }, element('b', { text: title }), element('span', { text: `.${name === 'mjcf' ? 'xml' : name}` }),
    )));
    const film = ['mp4', 'gif', 'mjcf'].includes(this.format);
    const rate = ['mp4', 'gif', ...ONE_CLIP].includes(this.format) || (!film && this.travel !== 'as-is');
    return [
      section('What', element('p', { class: 'note', text: take ? take.title : scene.clip ? short(scene.clip) : 'The character in its rest pose, with all clips' })),
      section('Format', grid),
      section(
        'Motion', !film && field('Travel', choice('Travel', [['as-is', 'As made'], ['in-place', 'In place'], ['restore', 'Restore']], this.travel, (travel) => this.#set({ travel }))),
        rate && field('Frame rate', choice('Frame rate', [[24, '24'], [30, '30'], [60, '60']], this.fps, (fps) => this.#set({ fps }))),
        this.format === 'mjcf' && element('p', { class: 'note', text: 'The motion is tracked by the simulated body first; the file has the body, its joints and their targets.' }),
        button(`Export ${FORMATS.find(([name]) => name === this.format)[1]}`, () => studio.export(this.format, this), { kind: 'primary wide', icon: 'export', id: 'export' }),
      ),
    ];
  }

  #missing(name) {
    const { server } = this.studio;
    if ((name.startsWith('usd') && !server?.usd) || (name === 'mjcf' && !server?.physics)) return 'Needs  pip install "gambol[physics]"';
    return null;
  }

  #files(jobs, take) {
    const { api } = this.studio;
    const row = ({ name, url, bytes }) => element('li', {}, element(
      'a', { class: 'item', href: api.address(url, { download: 1 }), download: name, data: { tip: 'Download' } },
      icon('download'), element('span', { class: 'name', text: name, title: name }), element('span', { class: 'aside', text: size(bytes) }),
    ));
    const rows = jobs.flatMap((job) => {
      if (job.state === 'done') return job.result.files.map(row);
      return [element('li', {}, element('span', { class: 'item' }, icon(job.state === 'failed' ? 'warning' : 'export'), element('span', { class: 'name', text: job.title }), element('span', { class: 'aside', text: STATE_WORDS[job.state] })))];
    });
    const failed = jobs.find(({ state }) => state === 'failed');
    const own = take?.result?.files ?? [];
    return [
      rows.length > 0 && section('Exported', element('ul', { class: 'list exported' }, rows), failed && element('p', { class: 'notice bad' }, icon('warning'), element('span', { text: failed.error }))),
      own.length > 0 && section(`Files of this take (${counted(own.length, 'file')})`, element('ul', { class: 'list own-files' }, own.map(row)), take.command && commandBox(take.command)),
    ].filter(Boolean);
  }
}

// Whether a job was asked for with this body.
function sameBody(job, body) {
  if (!body || job.kind !== body.kind) return false;
  const { kind, ...wanted } = body;
  return Object.entries(wanted).every(([name, value]) => (job.request?.[name] ?? null) === value || JSON.stringify(job.request?.[name]) === JSON.stringify(value));
}

// A command that can be copied.
export function commandBox(text) {
  const box = element('pre', { class: 'command', tabindex: 0, text });
  const copy = button('Copy', async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('The command is on the clipboard.');
    } catch {
      getSelection().selectAllChildren(box);
      complain(new Error('This browser does not let the page copy. The command is selected: press Ctrl C.'));
    }
  }, { kind: 'small', icon: 'copy' });
  return element('div', { class: 'command-box' }, box, copy);
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.max(bytes / 1e3, 0.1).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

