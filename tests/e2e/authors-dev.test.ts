import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AuthorFolder } from '../package/outside-folder.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { expectUntil } from './expect-until.ts';
import { newPerson, signUp, type Person } from './person.ts';

const outside = new AuthorFolder();

describeInBrowser('trellis-plugin dev with a product elsewhere', () => {
  let dataDir: string;
  let server: BuiltServer;
  let browser: Browser;
  let url: string;
  let ada: Person;
  let child: ChildProcess;
  let said = '';

  beforeAll(async () => {
    outside.prepare();
    dataDir = await shipToNewFolder([]);
    server = startBuiltServer(dataDir, { TRELLIS_PLUGINS_DEV: '1' });
    [url, browser] = await Promise.all([server.listening(), launchBrowser()]);
    ada = await newPerson(browser, url);
    await signUp(ada, url, 'ada@example.com');
  });
  afterAll(async () => {
    if (child?.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await browser?.close();
    await server?.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
    outside.dispose();
  });

  /** Saves the web half, so that it draws a text in the top bar. */
  function save(text: string): void {
    outside.write({
      'acme-desk/web/index.tsx': `import { defineWebPlugin } from '@trellis/sdk/web';
        const Desk = () => <output aria-label="Desk">${text}</output>;
        export default defineWebPlugin({
          setup(ctx) {
            ctx.register('shellItems', { id: 'acme-desk', slot: 'top-bar-end', Component: Desk });
          },
        });\n`,
    });
  }

  /** Resolves when the command says something more, or ends. */
  async function heard(): Promise<void> {
    const ways = [child.stdout, child.stderr].flatMap((stream) => (stream ? [once(stream, 'data')] : []));
    await Promise.race([...ways, once(child, 'exit')]);
  }

  /** Resolves once the command has said something that it had not said before. */
  async function until(text: string): Promise<void> {
    const from = said.length;
    while (!said.slice(from).includes(text)) {
      if (child.exitCode !== null) throw new Error(`It ended and had said:\n${said}`);
      await heard();
    }
  }

  function begin(folder: string, ...more: readonly string[]): void {
    const program = join(folder, 'node_modules/@trellis/sdk/dist/server/trellis-plugin.mjs');
    child = spawn(process.execPath, [program, 'dev', '--to', url, ...more], {
      cwd: folder,
      env: { PATH: process.env['PATH'], TRELLIS_EMAIL: 'ada@example.com', TRELLIS_PASSWORD: 'Passw0rd!' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
  }

  const onScreen = (text: string) => ada.page.getByLabel('Desk').getByText(text, { exact: true }).waitFor();

  test('brings what is saved onto the screens there, and tells the place of a mistake, which changes nothing, and what nobody agreed to', async () => {
    outside.create('acme-desk', '--template', 'empty', '--name', 'Desk', '--sdk', `file:${outside.sdk}`);
    const folder = join(outside.path, 'acme-desk');
    outside.install('@trellis/sdk', outside.sdk, folder);
    const mistakes = ada.page.getByRole('alert').filter({ hasText: "'acme-desk', which somebody works on" });
    save('first');
    begin(folder);
    await onScreen('first');
    // A page that is loaded again would forget it.
    await ada.page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }));
    for (const text of ['second', 'third']) {
      save(text);
      await onScreen(text);
    }
    expect(await ada.page.evaluate(() => 'isTheSamePage' in globalThis)).toBe(true);

    const answers = async (of: number) => {
      outside.write({
        'acme-desk/server/index.ts': `import { defineServerPlugin } from '@trellis/sdk/server';
          export default defineServerPlugin({
            setup(ctx) {
              ctx.routes({ method: 'GET', path: 'desks', permission: 'public', summary: 'Count', handle: async () => ({ of: ${of} }) });
            },
          });\n`,
      });
      const path = `${url}/api/v1/plugins/acme-desk/desks`;
      await expectUntil(async () => (await (await fetch(path)).text()) === JSON.stringify({ of }));
    };
    await answers(3);
    await answers(4);
    const told = until('web/index.tsx:2:');
    save('</wrong>');
    await told;
    await mistakes.getByText('web/index.tsx:2:', { exact: false }).waitFor();
    await ada.page.reload();
    await mistakes.getByText('web/index.tsx:2:', { exact: false }).waitFor();
    await onScreen('third');
    save('fourth');
    await onScreen('fourth');
    await mistakes.waitFor({ state: 'detached' });

    const thrown = until("it failed at 'setup': No desk is free. (server/index.ts:4:");
    outside.write({
      'acme-desk/server/index.ts': `import { defineServerPlugin } from '@trellis/sdk/server';
        export default defineServerPlugin({
          setup() {
            throw new Error('No desk is free.');
          },
        });\n`,
    });
    await thrown;
    await mistakes.getByText('No desk is free. (server/index.ts:4:', { exact: false }).waitFor();
    await onScreen('fourth');
    await ada.page.goto(`${url}/#/app-store`);
    await ada.page.getByText('(server/index.ts:4:', { exact: false }).first().waitFor();
    outside.write({
      'acme-desk/server/index.ts': `import { defineServerPlugin } from '@trellis/sdk/server';
        export default defineServerPlugin({ setup() {} });\n`,
    });

    const thrownInPage = until("failed at 'setup': No place is left. (web/index.tsx:4:");
    const shown = ada.page
      .getByText("failed at 'setup': No place is left. (web/index.tsx:4:", { exact: false })
      .first()
      .waitFor();
    outside.write({
      'acme-desk/web/index.tsx': `import { defineWebPlugin } from '@trellis/sdk/web';
        export default defineWebPlugin({
          setup() {
            throw new Error('No place is left.');
          },
        });\n`,
    });
    await Promise.all([thrownInPage, shown]);
    const typed = until('web/index.tsx:3:');
    outside.write({
      'acme-desk/web/index.tsx': `import { defineWebPlugin } from '@trellis/sdk/web';
        const Desk = () => <output aria-label="Desk">fourth</output>;
        const places: number = 'none';
        export default defineWebPlugin({
          setup(ctx) {
            ctx.logger.info(String(places));
            ctx.register('shellItems', { id: 'acme-desk', slot: 'top-bar-end', Component: Desk });
          },
        });\n`,
    });
    await typed;
    await onScreen('fourth');
    save('fourth');
    await until('The types are right again');

    const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as object;
    const asking = { ...manifest, contributes: { hosts: ['desks.example'] } };
    const refused = until('agree to that with --agree: desks.example');
    outside.write({ 'acme-desk/plugin.json': JSON.stringify(asking) });
    await refused;
    await onScreen('fourth');
    child.kill('SIGTERM');
    await once(child, 'exit');
    save('fifth');
    begin(folder, '--agree');
    await onScreen('fifth');
    expect(ada.complaints).toEqual([]);
  });
});
