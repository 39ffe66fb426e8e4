import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder } from './built-product.ts';
import { freePort } from './free-port.ts';
import { newPerson, signUp } from './person.ts';

const root = resolve(import.meta.dirname, '../..');

const outside = {
  id: 'outside',
  name: 'Outside',
  web: `export default { setup() { document.body.dataset.outside = 'here'; } };`,
};

describeInBrowser('npm run dev', () => {
  let dataDir: string;
  let child: ChildProcess;
  let browser: Browser;
  let url: string;
  let said = '';

  beforeAll(async () => {
    dataDir = await shipToNewFolder([outside]);
    const port = await freePort();
    child = spawn(process.execPath, [join(root, 'host-server/build/dev-command.mjs')], {
      cwd: root,
      // Vite colours what it says where CI is set, and its address would not be found in it.
      env: {
        ...process.env,
        NO_COLOR: '1',
        FORCE_COLOR: '',
        PORT: String(port),
        TRELLIS_DATA_DIR: dataDir,
        TRELLIS_PLUGINS_ENABLED: outside.id,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    [browser] = await Promise.all([launchBrowser(), saidItsAddress(child)]);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await browser?.close();
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Resolves when the page can be opened. */
  function saidItsAddress(dev: ChildProcess): Promise<void> {
    return new Promise((done, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Local:')) done();
      };
      dev.stdout?.on('data', hear);
      dev.stderr?.on('data', hear);
      dev.once('exit', (code) => reject(new Error(`It ended with ${code} and said:\n${said}`)));
    });
  }

  test('serves the page from its sources, with the server, the live channel and installed plugins behind it', async () => {
    const person = await newPerson(browser, url);
    const missing: string[] = [];
    person.page.on('response', (response) => {
      if (response.status() >= 500 || (response.status() === 404 && /\.tsx?\b/.test(response.url()))) {
        missing.push(`${response.status()} ${response.url()}`);
      }
    });
    const live = person.page.waitForEvent('websocket', (socket) => socket.url().includes('/socket.io/'));

    await signUp(person, url, 'ada@example.com');
    await live;

    expect(await person.page.locator('body').getAttribute('data-outside')).toBe('here');
    expect(missing).toEqual([]);
    expect(person.complaints).toEqual([]);
  });
});
