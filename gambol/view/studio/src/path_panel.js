// The path on the ground: drawing, length, speed and heading; whether the body is told when to be where.
import { button, element, emptyState, field, keyed, number, section, toggle } from './dom.js';
import { icon } from './icons.js';

export class PathPanel {
  constructor(studio, pathLayer) {
    this.studio = studio;
    this.layer = pathLayer;
    this.body = element('div');
    this.chart = element('canvas', { class: 'chart', 'aria-label': 'Speed along the path' });
    this.element = element('div', {}, this.body);
  }

  refresh() {
    const { studio } = this;
    const path = this.layer.path;
    const facts = this.layer.facts;
    keyed(this.body, [studio.character?.state, path, facts?.length, facts?.mean_speed, facts?.notes, facts?.gait], () => this.#build(path, facts));
    if (facts && this.chart.isConnected) this.#draw(facts.samples);
  }

  #build(path, facts) {
    const { studio, layer } = this;
    if (studio.character?.state !== 'ready') return [emptyState('path', 'No character yet', 'Open a character, then draw where it goes.')];
    if (!path) return [emptyState('path', 'Draw where it goes', 'Press on the ground and draw. The character follows the curve; turn the view with the right button or from outside the ground.')];
    const told = Boolean(path.times);
    const last = path.times?.at(-1) ?? studio.length;
    const rows = facts ? [
      ['Length', `${facts.length.toFixed(2)} m`], ['Speed', `${facts.mean_speed.toFixed(2)} m/s`],
      facts.speed_sizes != null && ['', `${facts.speed_sizes.toFixed(2)} body sizes a second`], facts.gait && ['Gait', facts.gait],
    ].filter(Boolean) : [];
    return [section(
      'Path', element('dl', { class: 'facts' }, rows.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })])),
      (facts?.notes ?? []).map((note) => element('p', { class: 'notice warn' }, icon('warning'), element('span', { text: note }))),
    ), section(
      'Speed', this.chart,
      toggle('Arrive in time', told, (on) => layer.setArrival(on ? studio.length : null), { tip: 'Off: the motion’s own speed' }),
      told && field('Arrives after', number(last, (value) => layer.setArrival(value), { least: 0.5, most: 60, step: 0.1, unit: 's' })),
    ), section(
      null, element('div', { class: 'row' }, button('Draw again', () => layer.clear(), { icon: 'path', kind: 'grow' }), button('Remove', () => layer.clear(), { icon: 'remove', kind: 'quiet', id: 'remove-path' })),
      element('p', { class: 'note', text: 'Points can be dragged; double-click a point to remove it.' }),
    )];
  }

  #draw(samples) {
    const { chart } = this;
    const [width, height] = [chart.clientWidth, chart.clientHeight];
    if (!width || !samples?.length) return;
    const ratio = Math.min(devicePixelRatio, 2);
    Object.assign(chart, { width: width * ratio, height: height * ratio });
    const context = chart.getContext('2d');
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const most = Math.max(...samples.map((s) => s[4]), 1e-6) * 1.15;
    const end = samples.at(-1)[0] || 1;
    const at = ([time, , , , speed]) => [(width * time) / end, height - 2 - (height - 6) * (speed / most)];
    context.beginPath();
    samples.forEach((sample, i) => (i ? context.lineTo(...at(sample)) : context.moveTo(...at(sample))));
    context.strokeStyle = style.getPropertyValue('--accent');
    context.lineWidth = 1.5;
    context.stroke();
    context.lineTo(width, height);
    context.lineTo(0, height);
    context.fillStyle = style.getPropertyValue('--accent-soft');
    context.fill();
  }
}
