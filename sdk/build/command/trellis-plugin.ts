#!/usr/bin/env node
/** `npm run build:plugin -- <folder>`: builds one plugin and says what it wrote. */
import { resolve } from 'node:path';
import { buildPlugin } from '../build-plugin.ts';

// Vite builds for what NODE_ENV says; a plugin is always built for use.
process.env['NODE_ENV'] = 'production';
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Which plugin? Name its folder: npm run build:plugin -- path/to/plugin');
  process.exitCode = 2;
} else {
  try {
    // npm runs commands in the folder of its package.json, whichever folder the person stands in.
    const built = await buildPlugin(resolve(process.env['INIT_CWD'] ?? process.cwd(), folder));
    console.log(`Built ${built.halves.join(' and ')} of '${built.id}' into ${built.folder}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
