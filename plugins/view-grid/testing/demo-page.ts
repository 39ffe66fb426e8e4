import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The grid's demo page, built for production and opened in its own Chromium. */
export interface DemoPage {
  readonly url: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Builds the demo page, serves it on a free local port, and starts a browser for it. */
export async function openDemoPage(): Promise<DemoPage> {
  // From the repository's root, where every script starts: a bundled benchmark does not know its original folder.
  const modules = join(process.cwd(), 'node_modules');
  const folder = join(modules, '.cache/trellis/grid-demo-dist');
  // A separate process: Vite's bundler cannot run inside Jest's sandbox.
  await promisify(execFile)(process.execPath, [
    join(modules, 'vite/bin/vite.js'),
    'build',
    `--config=${join(process.cwd(), 'plugins/view-grid/testing/vite.config.ts')}`,
  ]);
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Uses explicit flags instead of Playwright's headless default, so that Chromium runs on a server without a screen.
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    browser,
    close: async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
