// Bundles the pages' scripts with three.js: src/ into player.js, and ../studio/src into ../studio/studio.js and studio.css.
// The banner keeps three's licence and the hash of the sources, by which the tests see a stale bundle.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { build } from 'esbuild';

const filesIn = (folder) => readdirSync(folder).sort().flatMap((name) => {
  const path = `${folder}/${name}`;
  return statSync(path).isDirectory() ? filesIn(path) : [path];
});
const licence = readFileSync('node_modules/three/LICENSE', 'utf8').trim();

async function bundle(title, folders, entry, outfile) {
  const hash = createHash('sha256');
  for (const path of [...folders.flatMap(filesIn), 'package.json']) hash.update(readFileSync(path));
  const banner = `/* ${title}. sources sha256: ${hash.digest('hex')}\n\nIt contains three.js:\n\n${licence}\n*/`;
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    platform: 'browser',
    charset: 'ascii',
    legalComments: 'none',
    nodePaths: ['node_modules'],
    banner: { js: banner.replace('\u00a9', '(c)') },
  });
}

await bundle("Gambol's player", ['src'], 'src/main.js', 'player.js');
await bundle("Gambol's studio", ['src', '../studio/src'], '../studio/src/main.js', '../studio/studio.js');
