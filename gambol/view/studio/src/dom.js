// Small helpers to build the page: elements, icon buttons, switches, number fields and choices.
//
// element('p', { class: 'note', text: 'Hello', on: { click } }, child, ...)   text is never read as HTML
import { icon } from './icons.js';

export const byId = (id) => document.getElementById(id);

export function element(tag, { text, on = {}, class: name, data = {}, ...rest } = {}, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  Object.assign(made.dataset, data);
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || value === null || value === false) continue;
    made.setAttribute(key, value === true ? '' : value);
  }
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// Children take the place of what was there.
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

export function button(text, click, { icon: name, kind = '', tip, key, ...rest } = {}) {
  return element(
    'button', { type: 'button', class: `button ${kind}`, on: { click }, data: tips(tip, key), ...rest },
    name && icon(name), element('span', { text }),
  );
}

// A square button with a picture; `tip` is its name and its tooltip, `key` the shortcut that the tooltip shows.
export function iconButton(name, tip, click, { key, ...rest } = {}) {
  return element(
    'button', { type: 'button', class: 'icon-button', 'aria-label': tip, on: { click }, data: tips(tip, key), ...rest },
    icon(name),
  );
}

export function tips(tip, key) {
  return { ...(tip && { tip }), ...(key && { key }) };
}

export function press(control, on) {
  control.setAttribute('aria-pressed', String(on));
}

// A labelled row. A control without a name of its own takes the label's.
export function field(label, control, { hint } = {}) {
  const input = control.matches('input, select, textarea') ? control : control.querySelector('input, select');
  if (input && !input.hasAttribute('aria-label')) input.setAttribute('aria-label', label);
  return element('div', { class: 'field', data: tips(hint) }, element('span', { class: 'label', text: label }), control);
}

export function toggle(label, on, change, { tip, key } = {}) {
  const input = element('input', { type: 'checkbox', role: 'switch', on: { change: () => change(input.checked) } });
  input.checked = on;
  return element(
    'label', { class: 'switch', data: tips(tip, key) }, element('span', { class: 'label', text: label }), input,
    element('i', { 'aria-hidden': 'true' }),
  );
}

// One of few: [[value, text, tip]].
export function choice(label, options, value, change) {
  const group = element('div', { class: 'choice', role: 'radiogroup', 'aria-label': label });
  const select = (wanted) => {
    for (const item of group.children) {
      const chosen = item.dataset.value === String(wanted);
      item.setAttribute('aria-checked', String(chosen));
      item.tabIndex = chosen ? 0 : -1;
    }
  };
  const buttons = options.map(([key, text, tip]) => element('button', {
    type: 'button', role: 'radio', text, data: { value: String(key), ...tips(tip) },
    on: {
      click: () => { select(key); change(key); },
      keydown: (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const at = (buttons.indexOf(event.currentTarget) + step + buttons.length) % buttons.length;
        buttons[at].focus();
        buttons[at].click();
      },
    },
  }));
  group.append(...buttons);
  select(value);
  group.select = select;
  return group;
}

// A number that may be empty (null). Enter or leaving it takes the value over; Escape gives the old one back.
export function number(value, change, { least, most, step = 'any', empty = null, unit, label } = {}) {
  const shown = (v) => (v === null || v === undefined ? '' : String(+(+v).toFixed(3)));
  const input = element('input', { type: 'text', inputmode: 'decimal', placeholder: empty, autocomplete: 'off', 'aria-label': label });
  let now = value;
  input.value = shown(now);
  const take = () => {
    const text = input.value.trim().replace(',', '.');
    let next = text === '' && empty !== null ? null : Number(text);
    if (text === '' && empty === null) next = now;
    if (next !== null && !Number.isFinite(next)) next = now;
    if (next !== null && least !== undefined) next = Math.max(next, least);
    if (next !== null && most !== undefined) next = Math.min(next, most);
    input.value = shown(next);
    if (next !== now) {
      now = next;
      change(next);
    }
  };
  input.addEventListener('change', take);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') take();
    if (event.key === 'Escape') {
      input.value = shown(now);
      input.blur();
    }
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (way && step !== 'any') {
      event.preventDefault();
      input.value = shown((now ?? least ?? 0) + way * step);
      take();
    }
  });
  const box = element('span', { class: 'number' }, input, unit && element('span', { class: 'unit', text: unit }));
  box.set = (v) => {
    now = v;
    if (document.activeElement !== input) input.value = shown(v);
  };
  return box;
}

export function slider(value, { least, most, step }, change) {
  const input = element('input', { type: 'range', min: least, max: most, step });
  const paint = () => input.style.setProperty('--at', `${(100 * (input.value - least)) / (most - least)}%`);
  input.value = value;
  paint();
  input.addEventListener('input', () => { paint(); change(+input.value, false); });
  input.addEventListener('change', () => change(+input.value, true));
  input.set = (v) => { input.value = v; paint(); };
  return input;
}

export function section(title, ...children) {
  return element('section', { class: 'section' }, title && element('h3', {}, title), ...children);
}

// What is said where there is nothing yet.
export function emptyState(name, title, sentence, ...actions) {
  return element(
    'div', { class: 'empty' }, icon(name), element('h3', { text: title }), element('p', { text: sentence }), ...actions,
  );
}

export function seconds(value, digits = 2) {
  return `${value.toFixed(digits)} s`;
}

// "1 bone", "24 bones".
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

// Fill a container anew only when `key` (plain data) has changed; focus stays on the control with the same data-id.
export function keyed(container, key, build) {
  const text = JSON.stringify(key);
  if (container.builtFor === text) return;
  container.builtFor = text;
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  fill(container, build());
  if (focused) container.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}
