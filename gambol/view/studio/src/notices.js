// Tooltips, short messages at the top, questions, and the page that stands in for all when nothing works.
import { byId, button, element, fill, iconButton } from './dom.js';
import { icon } from './icons.js';

const TIP_DELAY = 450; // milliseconds
const TOAST_STAYS = 5000;

// One tooltip for all elements with data-tip; data-key is the shortcut behind it.
export function startTooltips() {
  const tip = byId('tip');
  let timer = null;
  const hide = () => {
    clearTimeout(timer);
    tip.classList.remove('shown');
  };
  const show = (target) => {
    if (!target.isConnected) return;
    fill(tip, target.dataset.tip, target.dataset.key && element('span', { class: 'key', text: target.dataset.key }));
    const box = target.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const above = box.top > innerHeight / 2;
    const beside = target.closest('#rail');
    const left = beside ? box.right + 8 : box.left + (box.width - width) / 2;
    const top = beside ? box.top + (box.height - height) / 2 : above ? box.top - height - 8 : box.bottom + 8;
    tip.style.left = `${Math.round(Math.min(Math.max(left, 8), innerWidth - width - 8))}px`;
    tip.style.top = `${Math.round(top)}px`;
    tip.classList.add('shown');
  };
  const from = (event) => event.target.closest?.('[data-tip]');
  addEventListener('pointerover', (event) => {
    const target = from(event);
    hide();
    if (target && event.pointerType === 'mouse') timer = setTimeout(() => show(target), TIP_DELAY);
  });
  addEventListener('pointerdown', hide, true);
  addEventListener('keydown', hide, true);
  addEventListener('focusin', (event) => {
    const target = from(event);
    if (target?.matches(':focus-visible')) show(target);
    else hide();
  });
  addEventListener('focusout', hide);
}

// A sentence that goes away by itself; a failure stays until it is closed.
export function say(sentence, { bad = false } = {}) {
  const box = byId('toasts');
  for (const old of box.children) if (old.dataset.text === sentence) old.remove();
  const toast = element(
    'div', { class: `toast${bad ? ' bad' : ''}`, role: bad ? 'alert' : 'status', data: { text: sentence } },
    icon(bad ? 'warning' : 'check'), element('p', { text: sentence }),
  );
  const close = iconButton('close', 'Close', () => toast.remove());
  close.classList.add('small');
  toast.append(close);
  box.append(toast);
  while (box.children.length > 3) box.firstChild.remove();
  if (!bad) setTimeout(() => toast.remove(), TOAST_STAYS);
}

// What went wrong, said as it is.
export function complain(error) {
  say(error?.message ?? String(error), { bad: true });
}

// Ask before something that cannot be undone. Resolves to whether it was meant.
export function ask(title, sentence, yes) {
  return new Promise((resolve) => {
    const dialog = element('dialog', { 'aria-label': title });
    const done = (answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    dialog.append(element(
      'div', { class: 'ask' }, element('h2', { text: title }), element('p', { class: 'note', text: sentence }),
      element('div', { class: 'row' }, button('Cancel', () => done(false), { kind: 'quiet' }), button(yes, () => done(true), { kind: 'primary' })),
    ));
    dialog.addEventListener('cancel', () => done(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Nothing works: one sentence in place of everything.
export function fail(title, sentence) {
  document.body.dataset.state = 'error';
  const reload = button('Reload', () => location.reload(), { kind: 'primary' });
  fill(byId('fatal'), element('div', { class: 'card', role: 'alert' }, element('h1', { text: title }), element('p', { text: sentence }), reload));
  byId('fatal').hidden = false;
}
