// The icons: 24 x 24, drawn with one stroke of 1.6; `solid` ones are filled.

const SHAPES = {
  character: '<circle cx="12" cy="5.4" r="2.4"/><path d="M12 9.2v6M6.6 10.2c3.4 1.4 7.4 1.4 10.8 0M12 15.2 8.8 21M12 15.2l3.2 5.8"/>',
  make: '<path d="M4.5 19.5 14 10M12.6 8.6l2.8 2.8M16.5 3.5l.9 2.6 2.6.9-2.6.9-.9 2.6-.9-2.6-2.6-.9 2.6-.9zM7 3.8l.6 1.6 1.6.6-1.6.6L7 8.2l-.6-1.6L4.8 6l1.6-.6z"/>',
  pose: '<circle cx="7" cy="17.6" r="2.1"/><circle cx="10.6" cy="9" r="2.1"/><path d="M7.9 15.7 9.8 11M12.5 8.3l4.1-1.6M18.4 2.8v6.6M15.1 6.1h6.6"/>',
  path: '<circle cx="5" cy="19" r="1.9"/><path d="M7 18.6c4.6-.6 1.4-6.4 5-8 3-1.3 4 1.6 6.400-1.200M16 4.400h4.600V9"/>',
  physics: '<path d="M12 3v10.500M8.200 9.900 12 13.700l3.800-3.800M4 20.500h16M6.500 17.200l2-1.200M17.500 17.200l-2-1.200"/>',
  compare: '<rect x="3.500" y="5" width="7" height="14" rx="1.500"/><rect x="13.500" y="5" width="7" height="14" rx="1.500"/>',
  export: '<path d="M12 15V4M8 7.800 12 3.800l4 4M5 13.500V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-4.500"/>',
  play: '<path class="solid" d="M8 5.200v13.600L19 12z"/>',
  pause: '<path class="solid" d="M7 5h3.600v14H7zM13.400 5H17v14h-3.600z"/>',
  stop: '<rect class="solid" x="6.500" y="6.500" width="11" height="11" rx="1.500"/>',
  back: '<path d="M15 6.500 9.500 12l5.500 5.500M6.500 6.500v11"/>',
  forth: '<path d="m9 6.500 5.500 5.500L9 17.500M17.500 6.500v11"/>',
  loop: '<path d="M7 7h8.500a4 4 0 0 1 4 4v.5M17 17H8.500a4 4 0 0 1-4-4v-.5M9.500 4.500 7 7l2.500 2.500M14.500 14.500 17 17l-2.500 2.500"/>',
  undo: '<path d="M8.500 5 4.500 9l4 4M4.800 9H14a5 5 0 0 1 0 10h-3"/>',
  redo: '<path d="m15.500 5 4 4-4 4M19.200 9H10a5 5 0 0 0 0 10h3"/>',
  skeleton: '<circle cx="6" cy="18" r="2.400"/><circle cx="12" cy="11" r="2.400"/><circle cx="18" cy="5" r="2.400"/><path d="M7.600 16.200 10.400 12.900M13.600 9.200 16.400 6.800"/>',
  parts: '<circle cx="12" cy="8.400" r="4.600"/><circle cx="8.400" cy="14.600" r="4.600"/><circle cx="15.600" cy="14.600" r="4.600"/>',
  wireframe: '<path d="M12 3 20 7.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12v9M12 12 4 7.500"/>',
  follow: '<circle cx="12" cy="12" r="3.200"/><path d="M4 8.500V4h4.500M15.500 4H20v4.500M20 15.500V20h-4.500M8.500 20H4v-4.500"/>',
  reset: '<path d="M5 12a7 7 0 1 0 2.300-5.200M5 4v4h4"/>',
  camera: '<path d="M3.500 8.500a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2zM15.500 11l5-3v8l-5-3z"/>',
  help: '<path d="M9 9.200a3 3 0 1 1 4.300 2.700c-.9.45-1.300 1-1.300 2.100M12 17.400v.1"/>',
  sun: '<circle cx="12" cy="12" r="3.800"/><path d="M12 3v1.800M12 19.200V21M3 12h1.800M19.200 12H21M5.600 5.600l1.300 1.300M17.100 17.100l1.300 1.300M5.600 18.400l1.300-1.300M17.100 6.900l1.300-1.300"/>',
  moon: '<path d="M19.500 14.300A8 8 0 0 1 9.700 4.500a8 8 0 1 0 9.800 9.800z"/>',
  pin: '<path d="M9 3.500h6M10 3.500v5.800L7.500 12.500h9L14 9.300V3.500M12 12.500v8"/>',
  key: '<path d="M12 4.500 19.500 12 12 19.500 4.500 12z"/>',
  freeze: '<path d="M12 3v18M4.200 7.500l15.600 9M19.800 7.500l-15.600 9M9.600 4.600 12 6.800l2.400-2.200M9.600 19.400l2.400-2.200 2.400 2.200"/>',
  split: '<circle cx="6.500" cy="6.500" r="2.300"/><circle cx="6.500" cy="17.500" r="2.300"/><path d="M8.300 8 20 17.500M8.300 16 20 6.500"/>',
  remove: '<path d="M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.300 10.500v5.500M13.700 10.500v5.500"/>',
  add: '<path d="M12 5v14M5 12h14"/>',
  close: '<path d="m6.500 6.500 11 11M17.500 6.500l-11 11"/>',
  check: '<path d="m5 12.500 4.500 4.500L19 7.500"/>',
  copy: '<rect x="8.500" y="8.500" width="11" height="11" rx="2"/><path d="M15.500 8.500v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2"/>',
  download: '<path d="M12 4v11M8 11.200l4 4 4-4M5 19.500h14"/>',
  upload: '<path d="M12 15V4M8 7.800 12 3.800l4 4M5 19.500h14"/>',
  warning: '<path d="M12 4.500 3.500 19.500h17zM12 10v4.500M12 17v.1"/>',
  eye: '<path d="M3 12c2.300-4 5.300-6 9-6s6.700 2 9 6c-2.300 4-5.300 6-9 6s-6.700-2-9-6z"/><circle cx="12" cy="12" r="2.600"/>',
  dice: '<rect x="4.500" y="4.500" width="15" height="15" rx="3"/><path d="M9 9v.1M15 9v.1M9 15v.1M15 15v.1M12 12v.1" stroke-width="2.400"/>',
  more: '<path d="M6 12v.1M12 12v.1M18 12v.1" stroke-width="2.600"/>',
  clip: '<path d="M4.500 6.500h15v11h-15zM8.500 6.500v11M15.500 6.500v11"/>',
  grid: '<rect x="4.500" y="4.500" width="6" height="6" rx="1"/><rect x="13.500" y="4.500" width="6" height="6" rx="1"/><rect x="4.500" y="13.500" width="6" height="6" rx="1"/><rect x="13.500" y="13.500" width="6" height="6" rx="1"/>',
};

export const ICONS = Object.keys(SHAPES);

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.dataset.icon = name;
  svg.innerHTML = SHAPES[name] ?? '';
  return svg;
}
