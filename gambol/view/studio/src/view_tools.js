// What lies over the picture: the toolbar, labels of cells, hints, the welcome, the card of what runs.
import { button, byId, counted, element, emptyState, fill, iconButton, keyed, press } from './dom.js';
import { icon } from './icons.js';
import { isActive, remaining, STATE_WORDS } from './jobs.js';

const VIEW_NAMES = { quarter: 'Three-quarter', side: 'Side', front: 'Front', back: 'Back', top: 'Top' };
const SHOWS = [['skeleton', 'Skeleton', 'S'], ['parts', 'Part colours', 'C'], ['wireframe', 'Wireframe', 'W'], ['follow', 'Camera follows', 'F']];

export class ViewTools {
  constructor(studio) {
    this.studio = studio;
    const { viewport } = studio;
    this.buttons = SHOWS.map(([name, tip, key]) => [name, iconButton(name, tip, () => this.toggle(name), { key, id: `show-${name}` })]);
    this.views = element(
      'select', { 'aria-label': 'View', data: { tip: 'View', key: 'V' }, on: { change: () => { viewport.look(this.views.value); studio.changed(); } } },
      Object.entries(VIEW_NAMES).map(([value, text]) => element('option', { value, text })),
    );
    fill(byId('tools'), this.views, this.buttons.map(([, made]) => made), iconButton('reset', 'Reset the view', () => viewport.look(viewport.view), { key: 'R' }));
  }

  toggle(name) {
    const { viewport } = this.studio;
    viewport.show(name, !viewport.shows[name]);
    this.studio.changed();
  }

  nextView() {
    const names = Object.keys(VIEW_NAMES);
    const { viewport } = this.studio;
    viewport.look(names[(names.indexOf(viewport.view) + 1) % names.length]);
    this.studio.changed();
  }

  refresh() {
    const { viewport } = this.studio;
    byId('tools').hidden = !viewport.character;
    this.views.value = viewport.view;
    for (const [name, made] of this.buttons) press(made, viewport.shows[name]);
  }
}

// Labels over cells; of variants they choose: a click keeps one.
export class CellLabels {
  constructor(studio) {
    this.studio = studio;
  }

  refresh() {
    const { viewport, view, jobs, server } = this.studio;
    const box = byId('cells');
    const cells = viewport.character ? viewport.cells : [];
    const key = cells.length < 2 ? [] : cells.map(({ id, rect, job, label, note }) => [id, rect, label, note, job && [job.state, job.result?.badges, jobs.progressOf(job.id)?.done, Boolean(jobs.motion(job.id))]]);
    keyed(box, [key, server?.version, view.group], () => (cells.length < 2 ? [] : cells.map((cell) => this.#label(cell))));
    for (const made of box.children) {
      const cell = cells.find(({ id }) => id === made.dataset.cell);
      if (!cell?.rect) continue;
      const { x, y, width, height } = cell.rect;
      Object.assign(made.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    }
  }

  #label({ id, job, label, note }) {
    if (!job) {
      return element('div', { class: 'cell', data: { cell: id } }, element('p', { class: 'cell-name' }, element('b', { text: note }), ` ${label}`));
    }
    const done = job.state === 'done';
    const progress = this.studio.jobs.progressOf(job.id);
    const state = done ? null : element('span', { class: 'note', text: progress && job.state === 'running' ? `${Math.round((100 * progress.done) / Math.max(progress.total, 1))} %` : STATE_WORDS[job.state] });
    return element(
      'button', {
        type: 'button', class: 'cell variant', data: { cell: id, tip: done ? 'Keep this variant' : STATE_WORDS[job.state] }, disabled: !done,
        'aria-label': `Keep variant ${job.variant + 1}`, on: { click: () => this.studio.showTake(job.id, 'Keep variant') },
      },
      element('span', { class: 'cell-name' }, element('b', { text: String(job.variant + 1) }), ` seed ${job.seed}`, state),
      done && badges(job.result.badges),
    );
  }
}

const BADGE_NAMES = { match: 'Match', skate: 'Skate', penetration: 'Ground', seam: 'Seam', 'self-intersection': 'Overlap' };

export function badges(list = []) {
  return element('span', { class: 'badges' }, (list ?? []).map(({ name, grade, text, value }) => element('span', {
    class: `badge ${grade}`, data: { tip: text ?? String(value) }, text: BADGE_NAMES[name] ?? name, tabindex: 0,
  })));
}

// The card of what runs: progress, losses, what the prior sees; pause, go on, stop.
export class RunningCard {
  constructor(studio) {
    this.studio = studio;
    this.box = byId('running');
    this.chart = element('canvas', { width: 224 * 2, height: 40 * 2, 'aria-hidden': 'true' });
    this.picture = element('img', { alt: 'What the prior sees', data: { tip: 'What the prior sees now' } });
    this.head = element('div', { class: 'row' });
    this.bar = element('div', { class: 'progress' }, element('i'));
    this.text = element('p', { class: 'note' });
    this.legend = element('p', { class: 'note legend' });
    fill(this.box, this.head, this.bar, this.text, this.picture, this.chart, this.legend);
  }

  refresh() {
    const { studio } = this;
    const job = studio.activeJob;
    this.box.hidden = !job || !studio.viewport.character;
    if (!job) return;
    const progress = studio.jobs.progressOf(job.id);
    keyed(this.head, [job.id, job.state, job.title], () => [
      element('b', { class: 'grow name', text: job.title, title: job.title }),
      job.state === 'running' && tiny('pause', 'Pause', () => studio.pause(job), 'pause'),
      job.state === 'paused' && tiny('play', 'Go on', () => studio.resume(job), 'go-on'),
      tiny('stop', 'Stop', () => studio.stop(job), 'stop'),
    ]);
    const share = progress ? progress.done / Math.max(progress.total, 1) : 0;
    this.bar.classList.toggle('unknown', job.state === 'running' && !progress);
    this.bar.firstChild.style.transform = progress ? `scaleX(${share})` : '';
    const place = job.state === 'queued' && job.place_in_queue ? `, ${counted(job.place_in_queue, 'job')} before it` : '';
    const steps = progress ? `${progress.done} of ${progress.total}` : '';
    this.text.textContent = [STATE_WORDS[job.state] + place, steps, job.state === 'running' ? remaining(progress) : job.state === 'paused' ? 'constraints may be moved' : ''].filter(Boolean).join(' · ');
    const picture = studio.jobs.pictureOf(job.id);
    this.picture.hidden = !picture;
    if (picture && this.picture.getAttribute('src') !== picture) this.picture.src = picture;
    const losses = studio.jobs.lossesOf(job.id);
    this.chart.hidden = losses.length < 2;
    this.legend.hidden = losses.length < 2;
    if (losses.length > 1) this.#draw(losses);
  }

  // The total loss and the prior's, on a logarithmic scale.
  #draw(losses) {
    const context = this.chart.getContext('2d');
    const { width, height } = this.chart;
    const style = getComputedStyle(document.documentElement);
    const names = ['motion', 'prior'].filter((name) => losses.some((row) => row[name] > 0));
    context.clearRect(0, 0, width, height);
    for (const [k, name] of names.entries()) {
      const values = losses.map((row) => Math.log10(Math.max(row[name] ?? NaN, 1e-9)));
      const finite = values.filter(Number.isFinite);
      const [low, high] = [Math.min(...finite), Math.max(...finite)];
      context.beginPath();
      values.forEach((value, i) => {
        if (!Number.isFinite(value)) return;
        const x = 2 + ((width - 4) * i) / (values.length - 1);
        const y = 4 + (height - 8) * (1 - (value - low) / Math.max(high - low, 1e-6));
        if (i) context.lineTo(x, y);
        else context.moveTo(x, y);
      });
      context.strokeStyle = style.getPropertyValue(k ? '--accent' : '--ink-3');
      context.lineWidth = 2.5;
      context.stroke();
    }
    const last = losses.at(-1);
    const shown = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));
    fill(this.legend, names.flatMap((name, k) => [element('i', { class: k ? 'accent' : '' }), `${name} ${shown(last[name] ?? 0)}  `]));
  }
}

function tiny(name, tip, click, id) {
  const made = iconButton(name, tip, click, { 'data-id': id, id: `job-${id}` });
  made.classList.add('small');
  return made;
}

// What is said where there is no character yet, or while one is opened.
export class Welcome {
  constructor(studio, openFiles) {
    this.studio = studio;
    this.openFiles = openFiles;
    this.box = byId('welcome');
  }

  refresh() {
    const { studio } = this;
    const { character, view, characters } = studio;
    const [upload] = view.uploads;
    const shown = upload || !character || character.state !== 'ready';
    this.box.hidden = !shown || (character?.state === 'opening' && Boolean(studio.viewport.character) && !upload);
    if (this.box.hidden) return;
    keyed(this.box, [upload, character?.state, character?.error, character?.progress, characters.size, view.connected], () => this.#build(upload, character));
  }

  #build(upload, character) {
    const bar = (share, text, title) => element(
      'div', { class: 'empty' }, icon('character'), element('h3', { text: title }),
      element('div', { class: share === null ? 'progress unknown' : 'progress' }, withShare(element('i'), share)), element('p', { text }),
    );
    if (upload) return bar(upload.share, upload.share < 1 ? `Sending, ${Math.round(100 * upload.share)} %` : 'Reading the file', upload.name);
    if (character?.state === 'opening') {
      const { progress } = character;
      return bar(progress ? progress.done / Math.max(progress.total, 1) : null, progress?.text ?? 'Reading the file', character.name);
    }
    const again = button('Open another file', this.openFiles, { icon: 'upload', kind: 'primary' });
    if (character?.state === 'failed') return emptyState('warning', `${character.name} could not be opened`, character.error ?? 'The file could not be read.', again);
    const sentence = element('input', { class: 'text', placeholder: 'a small fox', 'aria-label': 'Describe an animal', maxlength: 200 });
    const make = () => sentence.value.trim() && this.studio.create(sentence.value.trim());
    sentence.addEventListener('keydown', (event) => event.key === 'Enter' && make());
    const formats = (this.studio.server?.formats.read ?? []).join('  ');
    return element(
      'div', { class: 'empty' }, icon('character'), element('h3', { text: 'Drop a character here' }),
      element('p', { text: 'A rigged model, or a bare mesh, which gets a skeleton. With a .gltf, drop its .bin and its pictures too.' }),
      button('Choose a file', this.openFiles, { icon: 'upload', kind: 'primary', id: 'open-first' }),
      element('p', { class: 'or', text: 'or describe an animal' }),
      element('div', { class: 'row' }, sentence, button('Make', make)),
      element('p', { class: 'formats', text: formats }),
    );
  }
}

function withShare(bar, share) {
  if (share !== null) bar.style.transform = `scaleX(${share})`;
  return bar;
}
