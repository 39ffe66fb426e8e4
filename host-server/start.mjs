/**
 * `npm start`: installs what is missing, builds what is stale, then runs the server in this process. Options are the server's own
 * (`npm start -- --safe-mode`).
 *
 * The build runs in a separate process: otherwise the server would keep the bundler's memory for ever.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './build/install.mjs';
import { isFresh, sourceHash } from './build/stamp.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Trellis needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

process.env.NODE_ENV ??= 'production';
const root = fileURLToPath(new URL('..', import.meta.url));
try {
  await ensureInstalled(root, console.log, { tools: false });
  if (!(await isFresh(root, sourceHash(root)))) await build();
} catch (error) {
  console.error(`Trellis could not be prepared: ${error.message}`);
  process.exit(1);
}
endWithStarter();
await import(new URL('../dist/server/main.mjs', import.meta.url).href);

/**
 * Shuts the server down if the script that started it, or the shell of `npm start`, is gone: npm sends a signal only to its shell,
 * and the shell ends by it without ending the server.
 */
function endWithStarter() {
  const shell = Number(process.env.TRELLIS_STARTED_BY);
  if (!(shell > 0)) return;
  const { ppid } = process;
  const isNpm = process.env.npm_lifecycle_event !== undefined;
  const timer = setInterval(() => {
    if (process.ppid === ppid && (!isNpm || isAlive(shell))) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(timer));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Builds in a child process. A signal that ends the start also ends the build. */
async function build() {
  const command = fileURLToPath(new URL('build/build-command.mjs', import.meta.url));
  const child = spawn(process.execPath, [command], { stdio: 'inherit' });
  const end = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.once(signal, end);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  for (const of of signals) process.off(of, end);
  if (signal !== null) process.exit(1);
  if (code !== 0) throw new Error(`the build ended with code ${code}; see its messages above.`);
}
