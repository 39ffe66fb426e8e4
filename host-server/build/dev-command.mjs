/**
 * `npm run dev`: serves the web half from its sources with hot reload, and rebuilds and restarts the server on each change.
 *
 * The page is on PORT (8080); the server behind it takes a free port. Options are the server's own. The output goes to `dist-dev/`,
 * so that `dist/` keeps the last build.
 */
import { spawn } from 'node:child_process';
import { createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watch } from 'rolldown';
import { createServer } from 'vite';
import { ensureInstalled } from './install.mjs';
import { isOfThePage } from './page-files.mjs';
import { serverBundle } from './server-bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = join(root, 'dist-dev');
process.env.NODE_ENV = 'development';

await ensureInstalled(root, console.log, { tools: true });
const serverPort = await freePort();
const web = await createServer({
  configFile: join(root, 'host-web/build/vite.config.ts'),
  build: { outDir: join(output, 'web') },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.PORT ?? 8080),
    strictPort: true,
    // Plugins define the server's paths, so they cannot be listed here: whatever is not a file of the page goes to the server.
    proxy: {
      '^/': {
        target: `http://127.0.0.1:${serverPort}`,
        ws: true,
        changeOrigin: false,
        bypass: (request) => (isOfThePage(join(root, 'host-web'), request.url) ? request.url : undefined),
      },
    },
  },
});

let server;
let changes = Promise.resolve();
let isListening = false;
const watcher = watch({
  ...serverBundle(root, output),
  logLevel: 'warn',
  watch: { clearScreen: false },
});
watcher.on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error.message);
  if (event.code === 'BUNDLE_END') await event.result.close();
  if (event.code === 'END') changes = changes.then(restart).catch((error) => console.error(error.message));
});

// Vite ends this process on a signal; the server must end with it.
process.on('exit', () => server?.kill('SIGTERM'));
process.once('SIGINT', () => process.exit(0));

/** A free port. */
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

/** Ends the running server, waits for its end, and starts the new one. The page is served from the first start on. */
async function restart() {
  await stopServer();
  server = spawn(
    process.execPath,
    ['--enable-source-maps', join(output, 'server/main.mjs'), ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(serverPort) },
    },
  );
  server.stdout.pipe(process.stdout, { end: false });
  await saidThatItListens(server);
  if (isListening) return;
  isListening = true;
  await web.listen();
  web.printUrls();
}

/** Resolves when the server reports that it listens, or when it has ended. */
function saidThatItListens(child) {
  return new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text = (text + chunk).slice(-1000);
      if (/Trellis listens on/.test(text)) resolve();
    });
    child.once('exit', resolve);
  });
}

async function stopServer() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await gone;
}
