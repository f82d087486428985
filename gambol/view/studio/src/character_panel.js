// Characters: which are open, their clips, which bone is what (with corrections), facing, scale, rigging.
import { button, choice, counted, element, field, iconButton, keyed, number, section } from './dom.js';
import { icon } from './icons.js';
import { ask } from './notices.js';

const FACINGS = [[null, 'Auto', 'Find it out from the body'], ['+x', '+X'], ['-x', '−X'], ['+z', '+Z'], ['-z', '−Z']];
const PARTS = ['leg', 'arm', 'wing', 'tail', 'neck', 'head', 'torso'];

export class CharacterPanel {
  constructor(studio, openFiles) {
    this.studio = studio;
    this.openFiles = openFiles;
    this.list = element('ul', { class: 'list' });
    this.clips = element('div');
    this.facts = element('div');
    this.anatomy = element('div');
    this.placement = element('div');
    this.element = element(
      'div', {}, section(null, this.list, button('Open a file', openFiles, { icon: 'upload', kind: 'wide', tip: 'or drop it into the window', key: 'Ctrl O' })),
      this.facts, this.clips, this.anatomy, this.placement,
    );
  }

  refresh() {
    const { studio } = this;
    const { character, characters, scene, facts } = studio;
    const all = [...characters.values()];
    keyed(this.list, [all.map(({ id, name, state, rigged }) => [id, name, state, rigged]), character?.id], () => all.map((one) => this.#row(one, character)));
    const ready = character?.state === 'ready' ? character : null;
    keyed(this.facts, [ready?.id, ready?.revision, ready?.rigged], () => (ready ? this.#facts(ready) : []));
    keyed(this.clips, [ready?.id, ready?.clips, scene.clip, scene.take], () => (ready ? this.#clips(ready, scene) : []));
    keyed(this.anatomy, [ready?.id, ready?.revision, ready?.anatomy, scene.settings.anatomy, Boolean(facts), studio.viewport.shows.parts], () => (ready ? this.#anatomy(ready, scene) : []));
    keyed(this.placement, [ready?.id, ready?.revision, scene.settings], () => (ready ? this.#placement(ready, scene) : []));
  }

  #row(one, current) {
    const states = { opening: 'Opening', failed: 'Failed', ready: one.rigged ? 'Rigged' : '' };
    const remove = iconButton('remove', `Remove ${one.name}`, async () => {
      if (await ask(`Remove ${one.name}?`, 'Its takes and poses are removed too. This cannot be undone.', 'Remove')) this.studio.removeCharacter(one.id);
    });
    remove.classList.add('small');
    return element(
      'li', {}, element(
        'button', { type: 'button', class: 'item', 'aria-current': String(one.id === current?.id), data: { id: one.id }, on: { click: () => this.studio.choose(one.id) } },
        icon(one.state === 'failed' ? 'warning' : 'character'), element('span', { class: 'name', text: one.name, title: one.name }), element('span', { class: 'aside', text: states[one.state] }),
      ), remove,
    );
  }

  #facts({ summary, rigged, notes = [] }) {
    const { facts } = this.studio;
    const bones = facts?.bones.length ?? summary?.bones?.length ?? 0;
    const rows = [
      ['Skeleton', bones ? counted(bones, 'bone') + (rigged ? ', made by Gambol' : '') : 'none'],
      ['Surface', counted(facts?.triangles ?? 0, 'triangle')],
      summary?.height && ['Height', `${(+summary.height).toPrecision(3)} m`],
    ].filter(Boolean);
    const problems = [...(summary?.problems ?? []), ...notes].map((problem) => element('p', { class: 'notice warn' }, icon('warning'), element('span', { text: typeof problem === 'string' ? problem : problem.text ?? problem.sentence ?? String(problem) })));
    return [section(null, element('dl', { class: 'facts' }, rows.map(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })]).flat()), problems)];
  }

  #clips({ clips }, scene) {
    const row = (name, aside) => element('li', {}, element(
      'button', { type: 'button', class: 'item', 'aria-current': String(!scene.take && scene.clip === name), data: { id: `clip-${name}` }, on: { click: () => this.studio.showClip(name) } },
      icon(name ? 'clip' : 'character'), element('span', { class: 'name', text: short(name) ?? 'Rest pose', title: name ?? 'Rest pose' }), element('span', { class: 'aside', text: aside }),
    ));
    return [section('Clips of the file', element('ul', { class: 'list clips' }, row(null, ''), clips.map((clip) => row(clip.name, `${(clip.end - clip.start).toFixed(2)} s`))))];
  }

  #anatomy({ anatomy }, scene) {
    const { studio } = this;
    if (!anatomy?.limbs?.length) return [];
    const shown = studio.viewport.shows.parts;
    const show = button(shown ? 'Hide colours' : 'Show colours', () => { studio.viewport.show('parts', !shown); studio.changed(); }, { kind: 'quiet small', tip: 'Part colours', key: 'C' });
    const colour = new Map(anatomy.bones.map((bone) => [bone.name, bone.colour]));
    const rows = anatomy.limbs.map((limb) => {
      const [first] = limb.bones;
      const swatch = element('i', { class: 'swatch' });
      swatch.style.background = colour.get(limb.bones.at(-1)) ?? colour.get(first) ?? '';
      const corrected = scene.settings.anatomy[first];
      const select = element('select', {
        'aria-label': `What ${first} is`, data: { id: `part-${first}` },
        on: { change: (event) => this.#correct(first, event.target.value, limb.part) },
      }, PARTS.map((part) => element('option', { value: part, text: part, ...(part === (corrected ?? limb.part) && { selected: true }) })));
      const back = corrected && iconButton('undo', 'Take the correction back', () => this.#correct(first, null, limb.part));
      back?.classList.add('small');
      const side = limb.side && limb.side !== 'middle' ? ` ${limb.side}` : '';
      return element(
        'div', { class: 'field limb', data: { tip: limb.bones.join(' › ') } }, swatch,
        element('span', { class: 'label grow', text: `${limb.bones.length > 1 ? `${first} …` : first}` }),
        element('span', { class: 'aside note', text: side }), back, select,
      );
    });
    const title = element('h3', { text: 'Anatomy' }, show);
    return [element('section', { class: 'section' }, title, rows, element('p', { class: 'note', text: 'A correction holds for the bone and all that hangs on it.' }))];
  }

  #correct(bone, part, found) {
    this.studio.edit(part ? `${bone} is a ${part}` : 'Take correction back', (scene) => {
      if (part && part !== found) scene.settings.anatomy[bone] = part;
      else delete scene.settings.anatomy[bone];
    });
  }

  #placement({ summary, rigged, clips }, scene) {
    const { studio } = this;
    const facing = choice('Facing', FACINGS, scene.settings.facing, (value) => studio.edit('Facing', (s) => { s.settings.facing = value; }));
    const scale = number(scene.settings.scale, (value) => studio.edit('Scale', (s) => { s.settings.scale = value; }), { least: 1e-6, most: 1e6, empty: 'Auto', label: 'Scale, metres per unit of the file', unit: 'm' });
    const parts = [section(
      'Placement', element('div', { class: 'field' }, element('span', { class: 'label', text: 'Looks along' })), facing,
      field('One unit is', scale, { hint: 'Metres per unit of the file' }),
      summary?.facing_confidence !== undefined && summary.facing_confidence !== null && element('p', { class: 'note', text: 'The arrow on the ground is where the character looks.' }),
    )];
    if (rigged || !(clips?.length)) {
      parts.push(section('Skeleton', button('Rig again', () => studio.rig({}), { kind: 'wide', icon: 'skeleton', tip: 'Find a new skeleton and new weights for this mesh' })));
    }
    return parts;
  }
}

// 'Armature|Walk' is called 'Walk'.
export function short(name) {
  return name === null || name === undefined ? null : name.split('|').at(-1) || name;
}

