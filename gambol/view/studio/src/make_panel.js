// Making: what is selected on the timeline, the takes with their badges, style, seed and quality.
import { button, choice, element, emptyState, field, fill, iconButton, keyed, number, section, seconds, slider } from './dom.js';
import { constraintOf, deleteConstraint, deleteSegment, segmentOf } from './document.js';
import { icon } from './icons.js';
import { isActive, STATE_WORDS } from './jobs.js';
import { ask } from './notices.js';
import { describe } from './timeline.js';
import { badges } from './view_tools.js';
import { short } from './character_panel.js';

const FIRST_AXES = 4;
const LIMBS = ['arms', 'left arm', 'right arm', 'legs', 'left leg', 'right leg', 'front legs', 'hind legs', 'wings', 'head', 'tail', 'upper body', 'lower body'];
const PRESETS = { sketch: 'Fast', draft: 'Usual', paper: 'Finest' };

export class MakePanel {
  constructor(studio) {
    this.studio = studio;
    this.inspector = element('div');
    this.takes = element('div');
    this.style = element('div');
    this.quality = element('div');
    this.all = false;
    this.sliders = new Map();
    this.element = element('div', {}, this.inspector, this.takes, this.style, this.quality);
  }

  refresh() {
    const { studio } = this;
    const { character, scene, view, takes, server } = studio;
    const { selected } = view;
    const item = selected?.type === 'constraint' ? constraintOf(scene, selected.id) : null;
    keyed(this.inspector, [selected?.type === 'constraint' ? item : null, selected?.type === 'segment' && scene.segments.length > 1 ? segmentOf(scene, selected.id)?.seconds : null, selected], () => this.#inspector(selected, item, scene));
    const waiting = takes.map(({ id, state, title, result, seed, error, kind, notes }) => [id, state, title, result?.badges, seed, error, kind, notes]);
    const done = studio.take?.state === 'done' || (!scene.take && scene.clip);
    keyed(this.takes, [character?.id, waiting, scene.take, view.group, scene.constraints.length > 0 && done], () => this.#takes(takes, scene, done));
    keyed(this.style, [server?.style_axes?.map(({ name }) => name), this.all, character?.id], () => this.#style(server?.style_axes ?? []));
    for (const [name, { input, output, natural }] of this.sliders) {
      const value = scene.style[name] ?? natural;
      if (document.activeElement !== input || +input.value !== value) input.set(value);
      output.textContent = (+value).toFixed(2);
      output.classList.toggle('changed', name in scene.style);
    }
    keyed(this.quality, [scene.seed, scene.preset, scene.steps, server?.presets], () => this.#quality(scene, server));
  }

  // --- what is selected

  #inspector(selected, item, scene) {
    if (item) return [this.#constraint(item)];
    const segment = selected?.type === 'segment' ? segmentOf(scene, selected.id) : null;
    if (!segment) return [];
    const length = number(segment.seconds, (value) => this.studio.edit('Length', (s) => { segmentOf(s, segment.id).seconds = value; }), { least: 0.2, most: 60, step: 0.1, empty: 'its own', unit: 's' });
    return [section(
      head('Action', scene.segments.length > 1 && (() => this.#delete('Delete action', (s) => deleteSegment(s, segment.id)))),
      field('Length', length, { hint: 'Empty: the motion’s own length' }),
    )];
  }

  #constraint(item) {
    const { studio } = this;
    const change = (label, edit) => studio.edit(label, (scene) => edit(constraintOf(scene, item.id)));
    const rows = [];
    if (item.time !== undefined) rows.push(field('Time', number(item.time, (v) => change('Time', (c) => { c.time = v; }), { least: 0, most: 60, step: 0.05, unit: 's' })));
    const pair = item.interval ?? item.spans?.[0];
    if (pair) {
      const set = (end) => (v) => change('Interval', (c) => { (c.interval ?? c.spans[0])[end] = v; });
      rows.push(field('From', number(pair[0], set(0), { least: 0, most: 60, step: 0.05, unit: 's' })), field('To', number(pair[1], set(1), { least: 0, most: 60, step: 0.05, unit: 's' })));
    }
    const point = item.position ?? item.target;
    if (point) {
      const names = ['Ahead', 'Up', 'Right'];
      point.forEach((value, k) => rows.push(field(names[k], number(value, (v) => change('Move', (c) => { (c.position ?? c.target)[k] = v; }), { step: 0.01, unit: 'm' }))));
    }
    if (item.kind === 'freeze') rows.push(...this.#freeze(item, change));
    const titles = { pin: `Pin: ${item.joint}`, pose: 'Pose key', path: 'Path', freeze: 'Freeze', look_at: 'Look at', hold: 'Hold', speed: 'Speed' };
    if (item.kind === 'path') rows.push(button('Edit the path', () => studio.store.show({ panel: 'path' }), { icon: 'path', kind: 'wide' }));
    return section(head(titles[item.kind] ?? item.kind, () => this.#delete('Delete', (s) => deleteConstraint(s, item.id))), rows, item.kind === 'pose' && element('p', { class: 'note', text: describe(item) }));
  }

  #freeze(item, change) {
    const { character } = this.studio;
    const clips = character?.clips ?? [];
    const select = element('select', { on: { change: (event) => change('Freeze clip', (c) => { c.clip = event.target.value; }) } }, clips.map(({ name }) => element('option', { value: name, text: short(name), ...(name === item.clip && { selected: true }) })));
    const limbs = element('div', { class: 'chips' }, LIMBS.map((limb) => element('button', {
      type: 'button', class: 'chip toggle', text: limb, 'aria-pressed': String(item.limbs.includes(limb)), data: { id: `limb-${limb}` },
      on: {
        click: () => change('Freeze limbs', (c) => {
          const next = c.limbs.includes(limb) ? c.limbs.filter((l) => l !== limb) : [...c.limbs, limb];
          if (next.length) c.limbs = next;
        }),
      },
    })));
    return [field('Clip', select), limbs, element('p', { class: 'note', text: 'These limbs keep the keys of the clip; the rest is made anew.' })];
  }

  #delete(label, edit) {
    this.studio.edit(label, edit);
    this.studio.store.show({ selected: null });
  }

  // --- takes

  #takes(takes, scene, done) {
    const { studio } = this;
    const apply = scene.constraints.length > 0 && done && button('Apply constraints to this motion', () => studio.applyConstraints(), {
      icon: 'pin', kind: 'wide', tip: 'Change the shown motion only where pins, keys and paths demand it: a few seconds', id: 'apply',
    });
    if (!takes.length) {
      return [section('Takes', apply, emptyState('make', 'Nothing made yet', 'Write a sentence below and press Generate. Every take is kept here.'))];
    }
    const groups = new Map();
    for (const job of takes) {
      const key = job.group ?? job.id;
      groups.set(key, [...(groups.get(key) ?? []), job]);
    }
    const rows = [...groups.values()].flatMap((jobs) => (jobs.length > 1 ? [this.#groupRow(jobs, scene)] : jobs.map((job) => this.#row(job, scene))));
    const shown = studio.take;
    const facts = shown && element(
      'div', { class: 'take-facts' }, shown.result && badges(shown.result.badges),
      (shown.notes ?? []).map((note) => element('p', { class: 'notice' }, element('span', { text: note }))),
      shown.error && element('p', { class: 'notice bad' }, icon('warning'), element('span', { text: shown.error })),
      shown.state !== 'done' && ['failed', 'cancelled'].includes(shown.state) && button('Go on from the last checkpoint', () => studio.resume(shown), { kind: 'wide', icon: 'play' }),
    );
    return [section('Takes', apply, element('ul', { class: 'list takes' }, rows), facts)];
  }

  #row(job, scene, name = job.title) {
    const remove = iconButton('remove', 'Remove this take', async () => {
      if (await ask('Remove this take?', `“${job.title}” and its files are removed. This cannot be undone.`, 'Remove')) this.studio.removeJob(job);
    });
    remove.classList.add('small');
    const badge = worst(job.result?.badges);
    return element('li', {}, element(
      'button', { type: 'button', class: 'item', 'aria-current': String(scene.take === job.id && !this.studio.view.group), data: { id: `take-${job.id}` }, on: { click: () => this.studio.showTake(job.id) } },
      icon(job.kind === 'edit' ? 'pin' : job.state === 'failed' ? 'warning' : 'make'), element('span', { class: 'name', text: name, title: job.title }),
      element('span', { class: 'aside' }, job.state === 'done' ? (badge ? element('i', { class: `state-dot ${badge}` }) : seconds(job.result?.seconds ?? 0, 1)) : STATE_WORDS[job.state]),
    ), remove);
  }

  // Variants of one request: one row that shows them side by side, and below it the one that was kept.
  #groupRow(jobs, scene) {
    const ready = jobs.filter(({ state }) => state === 'done').length;
    const kept = jobs.find(({ id }) => id === scene.take);
    const open = this.studio.view.group === jobs[0].group;
    const all = element('li', {}, element(
      'button', { type: 'button', class: 'item', 'aria-current': String(open), data: { id: `group-${jobs[0].group}` }, on: { click: () => this.studio.store.show({ group: open ? null : jobs[0].group }) } },
      icon('grid'), element('span', { class: 'name', text: jobs[0].title, title: jobs[0].title }),
      element('span', { class: 'aside', text: jobs.some(isActive) ? `${ready} of ${jobs.length}` : `${jobs.length} variants` }),
    ));
    return kept && !open ? [all, this.#row(kept, scene, `Variant ${kept.variant + 1}, seed ${kept.seed}`)] : all;
  }

  // --- style and quality

  #style(axes) {
    this.sliders.clear();
    if (!axes.length) return [];
    const rows = (this.all ? axes : axes.slice(0, FIRST_AXES)).map(({ name, low, natural, high, words }) => {
      const output = element('output', { class: 'value' });
      const input = slider(natural, { least: low, most: high, step: 0.01 }, (value, last) => {
        this.studio.edit(`Style: ${name}`, (scene) => {
          if (Math.abs(value - natural) < 0.005) delete scene.style[name];
          else scene.style[name] = Math.round(value * 100) / 100;
        }, { merge: `style ${name}` });
        if (last) this.studio.store.endMerge();
      });
      input.addEventListener('dblclick', () => this.studio.edit(`Style: ${name}`, (scene) => { delete scene.style[name]; }));
      this.sliders.set(name, { input, output, natural });
      const row = field(name, element('span', { class: 'row' }, input, output), { hint: Array.isArray(words) ? words.join(', ') : words });
      input.setAttribute('aria-label', name);
      return row;
    });
    const more = button(this.all ? 'Fewer' : `${axes.length - FIRST_AXES} more`, () => { this.all = !this.all; this.studio.changed(); }, { kind: 'quiet small' });
    const title = element('h3', { text: 'Style' }, axes.length > FIRST_AXES && more);
    return [element('section', { class: 'section' }, title, rows)];
  }

  #quality(scene, server) {
    const { studio } = this;
    const presets = (server?.presets ?? []).map((preset) => preset.name ?? preset).filter((name) => name in PRESETS);
    const box = element('div');
    const seed = number(scene.seed, (value) => studio.edit('Seed', (s) => { s.seed = Math.round(value); }), { least: 0, most: 2 ** 31 - 1, step: 1 });
    const dice = iconButton('dice', 'Another seed', () => studio.edit('Seed', (s) => { s.seed = (s.seed * 7919 + 104729) % 100000; }), { key: 'N' });
    fill(box, section(
      'Settings', field('Seed', element('span', { class: 'row' }, dice, seed), { hint: 'The same seed gives the same motion' }),
      presets.length > 0 && field('Quality', choice('Quality', [[null, 'Auto', 'What suits the prior'], ...presets.map((name) => [name, PRESETS[name]])], scene.preset, (value) => studio.edit('Quality', (s) => { s.preset = value; }))),
      field('Steps', number(scene.steps, (value) => studio.edit('Steps', (s) => { s.steps = value === null ? null : Math.round(value); }), { least: 1, most: 100000, step: 10, empty: 'Auto', label: 'Optimiser steps' }), { hint: 'Optimiser steps: fewer are faster, more are finer' }),
    ));
    return [box];
  }
}

function head(title, remove) {
  const made = element('span', { class: 'row between' }, element('span', { text: title }));
  if (remove) {
    const bin = iconButton('remove', 'Delete', remove, { key: 'Del' });
    bin.classList.add('small');
    made.append(bin);
  }
  return made;
}

const GRADES = ['poor', 'fair', 'good'];

function worst(list = []) {
  return GRADES.find((grade) => (list ?? []).some((badge) => badge.grade === grade)) ?? null;
}
