/** `npm run build`: brings dist/ up to date and stops. */
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
if (!(await ensureBuilt(root, console.log))) console.log('Already up to date.');
