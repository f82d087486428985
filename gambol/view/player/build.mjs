// Bundles src/ and three.js into player.js, the one script of the page.
// The banner keeps three's licence and the hash of the sources, by which the tests see a stale bundle.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';

const sources = [...readdirSync('src').sort().map((name) => `src/${name}`), 'package.json'];
const hash = createHash('sha256');
for (const name of sources) hash.update(readFileSync(name));

const licence = readFileSync('node_modules/three/LICENSE', 'utf8').trim();
const banner = `/* Gambol's player. sources sha256: ${hash.digest('hex')}\n\nIt contains three.js:\n\n${licence}\n*/`;

await build({
  entryPoints: ['src/main.js'],
  outfile: 'player.js',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  platform: 'browser',
  charset: 'ascii',
  legalComments: 'none',
  banner: { js: banner.replace('\u00a9', '(c)') },
});
