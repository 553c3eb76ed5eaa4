// Marks a folder of compiled CommonJS, since the package around it says "type": "module".
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (!folder) throw new Error('usage: node mark-commonjs.mjs <folder>');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
