/**
 * Prints the time that `trellis-plugin dev` takes from a save in an author's editor to the visible result: for a web half, the
 * changed element in Chromium; for its styles, the changed colour; for a server half, the changed answer. Both ways into a product
 * are measured: by its data folder, and by its address. It has no limits: figures of one machine say little about another.
 *
 * It needs a built product, and uses the packed SDK in `TRELLIS_TEST_PACKED_SDK`, or packs it.
 *
 *   node tests/run-typescript.mjs tests/bench/plugin-dev.ts [--saves 10]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { shipToNewFolder, startBuiltServer } from '../e2e/built-product.ts';
import { AuthorFolder } from '../package/outside-folder.ts';

const { values } = parseArgs({ options: { saves: { type: 'string', default: '10' } } });
const saves = Number(values.saves);
const [email, password] = ['ada@example.com', 'Passw0rd!'];

const web = (text: string) => `import { defineWebPlugin } from '@trellis/sdk/web';
import './desk.css';
const Desk = () => <output aria-label="Desk">${text}</output>;
export default defineWebPlugin({
  setup(ctx) {
    ctx.register('shellItems', { id: 'acme-desk', slot: 'top-bar-end', Component: Desk });
  },
});
`;
const css = (colour: string) => `[aria-label='Desk'] { color: ${colour}; }\n`;
const server = (text: string) => `import { defineRoute, defineServerPlugin } from '@trellis/sdk/server';
export default defineServerPlugin({
  setup(ctx) {
    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'said',
        permission: 'public',
        summary: 'Say it',
        handle: () => ({ said: '${text}' }),
      }),
    );
  },
});
`;

/** Saves as editors do: a new file replaces the former one. */
function save(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Resolves in the frame in which the page shows the expected text and colour. */
const onScreen = (page: Page, text: string, colour: string) =>
  page.waitForFunction(
    ([wanted, painted]) => {
      const desk = document.querySelector('[aria-label="Desk"]');
      return desk?.textContent === wanted && getComputedStyle(desk).color === painted;
    },
    [text, colour] as const,
    { polling: 'raf' },
  );

async function untilAnswered(url: string, text: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/plugins/acme-desk/said`);
    if ((await answer.text()).includes(text)) return;
    await setTimeout(5);
  }
}

async function print(name: string, once: (at: number) => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < saves; at += 1) {
    const started = performance.now();
    await once(at);
    times.push(Math.round(performance.now() - started));
    // Authors pause between saves, and the product has settled.
    await setTimeout(400);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  process.stdout.write(`${name.padEnd(40)}median ${median} ms  slowest ${times.at(-1)} ms\n`);
}

const outside = new AuthorFolder();
outside.prepare();
outside.create('acme-desk', '--template', 'empty', '--name', 'Desk', '--sdk', `file:${outside.sdk}`);
const folder = join(outside.path, 'acme-desk');
outside.install('@trellis/sdk', outside.sdk, folder);
const file = (name: string) => join(folder, name);
const dataDir = await shipToNewFolder([]);
const product = startBuiltServer(dataDir, { TRELLIS_PLUGINS_DEV: '1' });
const [url, browser] = await Promise.all([
  product.listening(),
  chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  }),
]);

async function measure(way: string, place: readonly string[]): Promise<void> {
  save(file('web/desk.css'), css('rgb(1, 2, 3)'));
  save(file('web/index.tsx'), web('begun'));
  save(file('server/index.ts'), server(`begun ${way}`));
  const program = join(folder, 'node_modules/@trellis/sdk/dist/server/trellis-plugin.mjs');
  const child: ChildProcess = spawn(process.execPath, [program, 'dev', ...place], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TRELLIS_EMAIL: email, TRELLIS_PASSWORD: password },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await onScreen(page, 'begun', 'rgb(1, 2, 3)');
    await untilAnswered(url, `begun ${way}`);
    await print(`${way}: web half to the screen`, async (at) => {
      save(file('web/index.tsx'), web(`now ${at}`));
      await onScreen(page, `now ${at}`, 'rgb(1, 2, 3)');
    });
    await print(`${way}: styles to the screen`, async (at) => {
      save(file('web/desk.css'), css(`rgb(${at}, 9, 9)`));
      await onScreen(page, `now ${saves - 1}`, `rgb(${at}, 9, 9)`);
    });
    await print(`${way}: server half to the answer`, async (at) => {
      save(file('server/index.ts'), server(`${way} ${at}`));
      await untilAnswered(url, `${way} ${at}`);
    });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

const page = await browser.newPage();
try {
  await page.goto(`${url}/#/user/authentication/signup`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'My Projects' }).waitFor();
  await measure('--data', ['--data', dataDir, '--server', url]);
  await measure('--to', ['--to', url]);
} finally {
  await browser.close();
  await product.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
  outside.dispose();
}
