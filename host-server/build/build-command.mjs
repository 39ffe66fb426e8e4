/** `npm run build`: brings dist/ up to date and stops. */
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
try {
  if (!(await ensureBuilt(root, console.log))) console.log('Already up to date.');
} catch (error) {
  console.error(`Trellis could not be built: ${error.message}`);
  process.exitCode = 1;
}
