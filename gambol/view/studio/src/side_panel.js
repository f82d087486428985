// The panel on the right: one workspace at a time, each built once and brought up to date by its own refresh.
import { byId, element, fill, iconButton } from './dom.js';
import { toggleSide, WORKSPACES } from './top_bar.js';

export class SidePanel {
  // `panels` by name: { element, refresh() }.
  constructor(studio, panels) {
    this.studio = studio;
    this.panels = panels;
    this.title = element('h2');
    this.body = element('div', { class: 'scrolls', role: 'tabpanel', tabindex: -1 });
    const close = iconButton('close', 'Hide the panel', toggleSide, { key: '\\' });
    close.classList.add('small');
    fill(byId('side'), element('header', {}, this.title, close), this.body);
    this.shown = null;
  }

  refresh() {
    const { panel } = this.studio.view;
    if (panel !== this.shown) {
      this.shown = panel;
      this.title.textContent = WORKSPACES.find(([name]) => name === panel)[1];
      this.body.setAttribute('aria-labelledby', `rail-${panel}`);
      fill(this.body, this.panels[panel].element);
      this.body.scrollTop = 0;
    }
    this.panels[panel].refresh();
  }
}
