// The document is saved by itself, a moment after each change. The server's copy is the truth when another tab has saved.

import { checkedDocument } from './document.js';

const PATIENCE = 700; // milliseconds after the last change
const RETRY = 4000;

export class Autosave {
  constructor(api, store, told) {
    this.api = api;
    this.store = store;
    this.told = told; // told(state): 'saved' | 'saving' | 'waiting' | 'lost', with a sentence for what must be said
    this.revision = null;
    this.saved = store.document;
    this.timer = null;
    this.busy = false;
    addEventListener('beforeunload', () => this.pending && this.#save());
  }

  get pending() {
    return this.saved !== this.store.document;
  }

  async load() {
    const { document, revision } = await this.api.get('/document');
    const found = checkedDocument(document);
    this.revision = revision ?? null;
    this.saved = found ?? this.store.document;
    if (found) this.store.replace(found);
  }

  changed() {
    clearTimeout(this.timer);
    if (!this.pending) { // undone back to what is saved
      this.told('saved');
      return;
    }
    this.told('waiting');
    this.timer = setTimeout(() => this.#save(), PATIENCE);
  }

  // Another tab has saved.
  async heard(revision) {
    if (revision <= (this.revision ?? -1) || this.busy) return;
    if (this.pending) return; // the conflict shows when this tab saves
    await this.load();
    this.told('saved');
  }

  async #save() {
    if (this.busy || !this.pending) return;
    this.busy = true;
    this.told('saving');
    const { document } = this.store;
    let wait = PATIENCE;
    try {
      const { revision } = await this.api.put('/document', { document, revision: this.revision });
      this.revision = revision;
      this.saved = document;
      this.told(this.pending ? 'waiting' : 'saved');
    } catch (error) {
      if (error.status === 409) {
        await this.load().catch(() => {});
        this.told('saved', 'Another tab changed this project at the same time; its state is shown now.');
      } else {
        this.told('lost', error.message);
        wait = RETRY;
      }
    }
    this.busy = false;
    clearTimeout(this.timer);
    if (this.pending) this.timer = setTimeout(() => this.#save(), wait);
  }
}
