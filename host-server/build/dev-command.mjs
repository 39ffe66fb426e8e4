/**
 * `npm run dev`: the web half from its sources with hot reload, the server rebuilt and restarted on each change.
 *
 * The page is on PORT (8080); the server behind it takes a free port. Options are the server's own.
 */
import { spawn } from 'node:child_process';
import { createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watch } from 'rolldown';
import { createServer } from 'vite';
import { ensureInstalled } from './install.mjs';
import { serverBundle } from './server-bundle.mjs';
import { clearStamp } from './stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const served = ['/api', '/auth', '/live', '/nc', '/download'];
process.env.NODE_ENV = 'development';

await ensureInstalled(root, console.log, { tools: true });
// What a start finds in dist/ after this is not what a build would have made.
await clearStamp(root);
const serverPort = await freePort();
const web = await createServer({
  configFile: join(root, 'host-web/build/vite.config.ts'),
  server: {
    host: '127.0.0.1',
    port: Number(process.env.PORT ?? 8080),
    strictPort: true,
    proxy: Object.fromEntries(
      served.map((path) => [
        path,
        { target: `http://127.0.0.1:${serverPort}`, ws: true, changeOrigin: false },
      ]),
    ),
  },
});

let server;
let restarting = Promise.resolve();
const bundle = serverBundle(root);
const watcher = watch({ ...bundle, logLevel: 'warn', watch: { clearScreen: false } });
watcher.on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error.message);
  if (event.code === 'BUNDLE_END') await event.result.close();
  if (event.code === 'END') restarting = restarting.then(restart);
});
await web.listen();
web.printUrls();

// Vite ends this process on a signal; the server behind it must not outlive it.
process.on('exit', () => server?.kill('SIGTERM'));
process.once('SIGINT', () => process.exit(0));

/** A port that nobody listens on. */
function freePort() {
  return new Promise((resolve, reject) => {
    const socket = createSocket();
    socket.once('error', reject);
    socket.listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}

/** Ends the running server, waits until it is gone, and starts the new one. */
async function restart() {
  await stopServer();
  server = spawn(
    process.execPath,
    ['--enable-source-maps', join(root, 'dist/server/main.mjs'), ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PORT: String(serverPort) },
    },
  );
}

async function stopServer() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await gone;
}
