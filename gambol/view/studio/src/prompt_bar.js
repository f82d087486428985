// The sentence of the selected segment, what was understood of it as one types, and the button that makes the motion.
import { button, choice, element, fill, iconButton, keyed, press } from './dom.js';
import { segmentOf, setPrompt } from './document.js';

const NOTABLE = 0.25; // of half an axis' range: smaller changes of style are not worth a word
const MOST_STYLES = 3;
const EXAMPLES = ['walks slowly', 'runs, then jumps', 'turns left and looks back'];

export class PromptBar {
  constructor(studio, box) {
    this.studio = studio;
    this.input = element('input', {
      id: 'prompt', class: 'text', autocomplete: 'off', spellcheck: 'false', maxlength: 500, 'aria-label': 'What the character does',
      'aria-describedby': 'understood', on: { input: () => this.#typed(), keydown: (event) => this.#key(event), blur: () => studio.store.endMerge() },
    });
    this.understood = element('div', { id: 'understood', role: 'status' });
    this.variants = choice('Variants', [[1, '1'], [2, '2'], [4, '4'], [8, '8']], 1, (value) => studio.edit('Variants', (scene) => { scene.variants = value; }));
    this.variants.dataset.tip = 'Variants with different seeds, side by side';
    this.loop = iconButton('loop', 'Seamless loop', () => studio.edit('Loop', (scene) => { scene.loop = !scene.loop; }), { key: 'L', id: 'loop' });
    this.go = button('Generate', () => studio.generate(), { icon: 'make', kind: 'primary', tip: 'Make the motion', key: 'Ctrl Enter', id: 'generate' });
    fill(box, element('div', { class: 'prompt-row' }, this.input, this.loop, this.variants, this.go), this.understood);
  }

  // The selected segment, or else the one under the playhead.
  get segment() {
    const { view, scene, places, playhead } = this.studio;
    if (view.selected?.type === 'segment') return segmentOf(scene, view.selected.id) ?? scene.segments[0];
    return places.find(({ end }) => playhead.time < end)?.segment ?? scene.segments.at(-1);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  #typed() {
    const { studio } = this;
    const { id } = this.segment;
    studio.store.show({ selected: { type: 'segment', id } });
    studio.edit('Sentence', (scene) => setPrompt(scene, id, this.input.value), { merge: `prompt ${id}` });
  }

  #key(event) {
    event.stopPropagation();
    if (event.key === 'Enter') {
      event.preventDefault();
      this.studio.store.endMerge();
      this.studio.generate();
    }
    if (event.key === 'Escape') this.input.blur();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      if (event.shiftKey) this.studio.redo();
      else this.studio.undo();
    }
  }

  refresh() {
    const { studio } = this;
    const { scene, view, character } = studio;
    const { segment } = this;
    if (this.input.value !== segment.prompt) this.input.value = segment.prompt;
    const ready = character?.state === 'ready';
    this.input.placeholder = ready ? `What does ${character.name.replace(/\.\w+$/, '')} do? For example “${EXAMPLES[0]}”` : 'Open a character, then say what it does';
    this.go.disabled = !ready;
    const several = scene.segments.filter(({ prompt }) => prompt.trim()).length > 1;
    this.loop.disabled = several;
    this.loop.dataset.tip = several ? 'Seamless loop: only for one action' : 'Seamless loop';
    press(this.loop, scene.loop && !several);
    this.variants.select(scene.variants);
    const at = scene.segments.indexOf(segment);
    keyed(this.understood, [view.understood, at, segment.prompt.trim() === '', studio.server?.prior_motions?.length], () => this.#said(view.understood, at, segment));
  }

  #said(understood, at, segment) {
    if (!segment.prompt.trim()) return [element('span', { class: 'note', text: 'One sentence per segment. “then” joins several actions.' })];
    if (!understood) return [element('span', { class: 'note', text: 'Reading …' })];
    if (understood.error) return [element('span', { class: 'chip bad', text: understood.error }), ...this.#suggested(understood, segment)];
    // a sentence may be read as several actions
    const whole = this.studio.scene.segments.length === 1 ? understood.segments : understood.segments.filter(({ source }) => source === at);
    const chips = whole.flatMap((read, i) => [i > 0 && element('span', { class: 'note', text: 'then' }), ...this.#chips(read)]);
    const unsure = whole.some(({ confident }) => confident === false);
    return [...chips, ...(unsure ? this.#suggested(understood, segment) : [])];
  }

  #chips(read) {
    const styles = this.#styles(read.style ?? {});
    return [
      read.motion && read.known !== false
        ? element('span', { class: `chip ${read.confident === false ? 'fair' : 'motion'}`, text: read.motion, data: { tip: read.summary ?? 'The motion that was understood' } })
        : element('span', { class: 'chip bad', text: 'no motion recognised', data: { tip: read.summary ?? 'No motion was recognised' } }),
      ...styles,
      ...(read.ignored ?? []).map((word) => element('span', { class: 'chip unknown', text: word, data: { tip: 'This word has no effect' } })),
    ];
  }

  // The axes that the words move most, in words: 'slow', 'bouncy'; how far, as a share of what is possible, is in the tooltip.
  #styles(style) {
    const axes = (this.studio.server?.style_axes ?? []).map(({ name, low, high, words }) => {
      const value = style[name] ?? 0;
      const share = (2 * value) / Math.max(high - low, 1e-9);
      return { name, value, share, word: Array.isArray(words) ? words[value < 0 ? 0 : 1] : name };
    });
    const moved = axes.filter(({ share }) => Math.abs(share) > NOTABLE).sort((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, MOST_STYLES);
    return moved.map(({ name, value, word }) => element('span', {
      class: 'chip', text: word, data: { tip: `Style: ${name} ${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(2)}` },
    }));
  }

  #suggested({ suggestions = [] }, { id }) {
    if (!suggestions.length) return [];
    return [element('span', { class: 'note', text: 'try' }), ...suggestions.slice(0, 4).map((word) => element('button', {
      type: 'button', class: 'chip suggestion', text: word,
      on: { click: () => this.studio.edit('Sentence', (scene) => setPrompt(scene, id, word)) },
    }))];
  }
}
