// The top bar: what is open, whether it is saved, undo and redo, theme, help; and the rail with the workspaces.
import { byId, element, fill, iconButton, keyed } from './dom.js';
import { icon } from './icons.js';
import { isActive } from './jobs.js';

export const WORKSPACES = [
  ['character', 'Character', 'Open, correct and rig characters'],
  ['make', 'Make', 'Sentences, style and takes'],
  ['pose', 'Pose', 'Drag joints, the body follows'],
  ['path', 'Path', 'Draw a path on the ground'],
  ['physics', 'Physics', 'What gravity allows'],
  ['compare', 'Compare', 'Original beside generated'],
  ['export', 'Export', 'Files for other programs'],
];
const SAVED = { saved: 'Saved', saving: 'Saving …', waiting: 'Saving …', lost: 'Not saved' };

export class TopBar {
  constructor(studio, theme) {
    this.studio = studio;
    this.theme = theme;
    this.title = element('p', { class: 'title' });
    this.saved = element('p', { class: 'saved', role: 'status' });
    this.undo = iconButton('undo', 'Undo', () => studio.undo(), { key: 'Ctrl Z', id: 'undo' });
    this.redo = iconButton('redo', 'Redo', () => studio.redo(), { key: 'Ctrl Shift Z', id: 'redo' });
    this.side = iconButton('grid', 'Hide or show the panel', () => toggleSide(), { key: '\\' });
    this.look = iconButton('sun', 'Dark or light', () => theme.toggle(), { key: 'T', id: 'theme' });
    fill(
      byId('top'), element('p', { class: 'brand' }, element('i'), 'Gambol'), this.title, this.saved, element('span', { class: 'spring' }),
      this.undo, this.redo, element('hr'), this.look,
      iconButton('help', 'Keys and help', () => byId('help').showModal(), { key: '?', id: 'help-button' }), this.side,
    );
  }

  refresh() {
    const { character, store, view } = this.studio;
    const [undo, redo] = [store.undoLabel, store.redoLabel];
    this.undo.disabled = !undo;
    this.redo.disabled = !redo;
    this.undo.dataset.tip = undo ? `Undo: ${undo}` : 'Undo';
    this.redo.dataset.tip = redo ? `Do again: ${redo}` : 'Redo';
    keyed(this.title, [character?.name, this.studio.server?.project], () => [
      element('span', { text: this.studio.server?.project ?? '' }),
      character && element('b', { text: `  /  ${character.name}` }),
    ]);
    const lost = !view.connected || view.saved === 'lost';
    this.saved.textContent = view.connected ? SAVED[view.saved] : 'Server is away';
    this.saved.classList.toggle('bad', lost);
    keyed(this.look, this.theme.now, () => icon(this.theme.now === 'dark' ? 'sun' : 'moon'));
  }
}

export class Rail {
  constructor(studio, open) {
    this.studio = studio;
    this.buttons = new Map(WORKSPACES.map(([name, title, tip], i) => [name, element(
      'button', { type: 'button', role: 'tab', id: `rail-${name}`, data: { tip, key: String(i + 1) }, on: { click: () => open(name) } },
      icon(name), element('span', { text: title }),
    )]));
    fill(byId('rail'), [...this.buttons.values()]);
  }

  refresh() {
    const { view, character, jobs } = this.studio;
    const busy = new Set(character ? jobs.of(character.id).filter(isActive).map(({ kind }) => kind) : []);
    const kinds = { make: ['animate', 'edit'], physics: ['track'], export: ['export', 'film'], compare: ['compare'], character: ['rig'] };
    for (const [name, button] of this.buttons) {
      button.setAttribute('aria-selected', String(view.panel === name));
      button.dataset.busy = String((kinds[name] ?? []).some((kind) => busy.has(kind)));
    }
  }
}

export function toggleSide() {
  document.body.dataset.side = document.body.dataset.side === 'closed' ? 'open' : 'closed';
}
