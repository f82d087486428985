// Files that are dropped into the window, also whole folders (a .gltf with its pictures).
import { byId, element, fill } from './dom.js';
import { icon } from './icons.js';
import { complain } from './notices.js';

export function startDrop(studio) {
  const box = byId('drop');
  fill(box, element('div', { class: 'card' }, icon('upload'), element('b', { text: 'Drop to open' })));
  let depth = 0;
  const files = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const show = (on) => { box.hidden = !on; };
  addEventListener('dragenter', (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth += 1;
    show(true);
  });
  addEventListener('dragover', (event) => files(event) && event.preventDefault());
  addEventListener('dragleave', (event) => {
    if (!files(event)) return;
    depth = Math.max(depth - 1, 0);
    if (!depth) show(false);
  });
  addEventListener('drop', async (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    try {
      await studio.upload(await allFiles(event.dataTransfer));
    } catch (error) {
      complain(error);
    }
  });
}

// Entries must be taken before the first pause; folders are read one level after the other.
async function allFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const found = [];
  const visit = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
      file.path = entry.fullPath.replace(/^\//, '');
      found.push(file);
    }
    else {
      const reader = entry.createReader();
      for (;;) {
        const more = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
        if (!more.length) break;
        for (const child of more) await visit(child);
      }
    }
  };
  for (const entry of entries) await visit(entry);
  return found;
}
