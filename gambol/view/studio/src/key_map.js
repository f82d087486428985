// The keyboard: which key does what, for the listener and for the help that lists them all.
import { byId, element, fill, iconButton } from './dom.js';

// [keys as shown, what it does, keys as the browser names them, action]
export function listen(groups) {
  const actions = new Map();
  for (const [, rows] of groups) for (const [, , keys = [], action] of rows) for (const key of keys) actions.set(key, action);
  addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;
    const { target, key } = event;
    const writing = target.matches?.('input[type="text"], input:not([type]), textarea, select');
    const control = event.ctrlKey || event.metaKey;
    const name = `${control ? 'Ctrl+' : ''}${event.shiftKey && (control || key.length > 1) ? 'Shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`;
    if (writing && !(control && ['s', 'Enter'].includes(key))) return;
    if (event.altKey) return;
    if ((key === ' ' || key === 'Enter') && !control && target.matches?.('button, a, [role="radio"], input[type="checkbox"]')) return;
    if (target.matches?.('input[type="range"]:not(.scrub)') && /^(Arrow|Home|End)/.test(key)) return;
    const action = actions.get(name);
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  // after a click with the mouse the space bar should play, not press the same button again
  addEventListener('click', (event) => {
    if (event.detail > 0) event.target.closest?.('button:not([role="radio"])')?.blur();
  });
}

export function fillHelp(groups, about) {
  const dialog = byId('help');
  const close = iconButton('close', 'Close', () => dialog.close());
  fill(
    dialog, element('header', {}, element('h2', { id: 'help-title', text: 'Keys and mouse' }), close),
    element('div', { class: 'keys', tabindex: -1, autofocus: true }, groups.map(([title, rows]) => element(
      'section', {}, element('h3', { text: title }),
      rows.filter(([shown]) => shown).map(([shown, text]) => element('div', {}, element('span', { text }), element('span', {}, shown.split(' ').map((key) => [element('kbd', { text: key }), ' ']).flat()))),
    ))),
    element('p', { class: 'note about', text: about }),
  );
}
