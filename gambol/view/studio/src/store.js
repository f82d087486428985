// The document (all that an animator decides), its undo history, and everything that only the page remembers.
//
// store.document    frozen; changed only through store.change, which makes one undo step and tells the listeners
// store.view        what is selected, open and shown; never undone, never saved
//
// A drag is many changes and one step: give all of them the same `merge` key.

const DEEPEST = 500; // undo steps

export class Store {
  constructor(document, view = {}) {
    this.document = freeze(document);
    this.view = view;
    this.past = []; // { label, document, merge }: what the document was before each step
    this.future = [];
    this.listeners = new Set();
  }

  // Call `listener(store, what)` after every change; `what` is 'document' or 'view'. Returns how to stop.
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // `edit` gets a copy of the document to change, or returns another document. `label` names the step ("Add pin").
  // Returns whether anything changed.
  change(label, edit, { merge = null } = {}) {
    const draft = structuredClone(this.document);
    const next = edit(draft) ?? draft;
    if (same(next, this.document)) return false;
    const last = this.past.at(-1);
    if (merge === null || last?.merge !== merge || this.future.length) {
      this.past.push({ label, document: this.document, merge });
      if (this.past.length > DEEPEST) this.past.shift();
    }
    this.future = [];
    this.document = freeze(next);
    this.#tell('document');
    return true;
  }

  // Another document takes the place of this one: nothing before it can be undone.
  replace(document) {
    this.document = freeze(document);
    this.past = [];
    this.future = [];
    this.#tell('document');
  }

  // A drag has ended: the next change with its key is a step of its own.
  endMerge() {
    const last = this.past.at(-1);
    if (last) last.merge = null;
  }

  get undoLabel() {
    return this.past.at(-1)?.label ?? null;
  }

  get redoLabel() {
    return this.future.at(-1)?.label ?? null;
  }

  undo() {
    return this.#go(this.past, this.future);
  }

  redo() {
    return this.#go(this.future, this.past);
  }

  // Change what only the page remembers.
  show(changes) {
    if (Object.entries(changes).every(([name, value]) => Object.is(this.view[name], value))) return;
    this.view = { ...this.view, ...changes };
    this.#tell('view');
  }

  #go(from, to) {
    const step = from.pop();
    if (!step) return null;
    to.push({ label: step.label, document: this.document, merge: null });
    this.document = step.document;
    this.#tell('document');
    return step.label;
  }

  #tell(what) {
    for (const listener of [...this.listeners]) listener(this, what);
  }
}

export function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

function freeze(value) {
  if (value && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}
