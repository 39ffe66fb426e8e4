import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';

const root = resolve(import.meta.dirname, '../..');
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A plugin that was built elsewhere: a page, a tab, an item of the side bar. */
const outside = `
import { jsx } from 'react/jsx-runtime';
import { useHost, useShell } from '@trellis/sdk/web';
const schema = { type: 'object', properties: { mode: { type: 'string', enum: ['one', 'two'], title: 'Mode' } } };
function Tree() {
  const shell = useShell();
  return jsx('button', { onClick: () => shell.openTab({ type: 'thing', key: 't1', name: 'Orders' }), children: 'Open orders' });
}
function Thing() {
  const { SchemaForm } = useHost();
  return jsx(SchemaForm, { schema, value: {}, onChange() {} });
}
export default { setup(ctx) {
  ctx.tap('session.didStart', () => { document.body.dataset.hook = 'called'; });
  ctx.register('shellItems', { id: 'tree', slot: 'side-bar', Component: Tree });
  ctx.register('dashboardTabs', { id: 'thing', label: 'Thing', icon: 'table', Component: Thing });
} };`;

const answers: Readonly<Record<string, unknown>> = {
  '/api/v1/auth/token/refresh': { token: 'token' },
  '/api/v1/auth/user/me': { id: 'us_1', email: 'ada@example.com', roles: { super: true } },
  '/api/v1/plugins/web': {
    generation: 1,
    plugins: [
      { id: 'outside', manifest: { name: 'Outside', version: '1.0.0' }, url: '/ext/outside.js', css: [] },
    ],
  },
  '/api/v1/user-storage': {},
  '/api/v1/version': { currentVersion: '1.0.0' },
  '/api/v1/db/meta/projects/p_1': { id: 'p_1', title: 'Northwind' },
};

describeInBrowser('the page in a browser', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trellis-web-'));
    const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'];
    const config = ['-c', join(root, 'host-web/build/vite.config.ts'), '--outDir', folder, '--emptyOutDir'];
    execFileSync(process.execPath, [...vite, ...config], { cwd: root });
    const { scriptHashes } = JSON.parse(readFileSync(join(folder, 'csp.json'), 'utf8')) as {
      scriptHashes: readonly string[];
    };
    const scripts = ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' ');
    const policy = [
      "default-src 'self'",
      `script-src ${scripts}`,
      "style-src 'self' 'unsafe-inline'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
    server = createServer((request, response) => answer(request.url ?? '/', response, policy));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await new Promise((closed) => server.close(closed));
    rmSync(folder, { recursive: true, force: true });
  });

  function answer(url: string, response: ServerResponse, policy: string): void {
    const path = new URL(url, 'http://localhost').pathname;
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (path in answers) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]));
    } else if (path === '/ext/outside.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(outside);
    } else if (existsSync(file)) {
      const type = types[extname(file)] ?? 'application/octet-stream';
      response
        .writeHead(200, { 'content-type': type, 'content-security-policy': policy })
        .end(readFileSync(file));
    } else {
      response.writeHead(404).end();
    }
  }

  async function openPage(width: number): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.exposeFunction('reportViolation', (violation: string) => void problems.push(violation));
    await page.addInitScript(() => {
      const { reportViolation } = window as unknown as { reportViolation(violation: string): void };
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        reportViolation(`${violatedDirective} ${blockedURI}`),
      );
    });
    return { page, problems };
  }

  test('runs its plugins, hooks, dialogs and forms under the strict policy', async () => {
    const { page, problems } = await openPage(1200);
    await page.goto(`${origin}/#/nc/p_1`);
    // A tab opens in the project, which must be known.
    await page.getByText('Northwind').first().waitFor();
    await page.getByText('Open orders').click();
    await page.locator('.p-dropdown').click();
    await page.getByRole('option', { name: 'two' }).click();
    await page.keyboard.press('Control+,');
    await page.getByText('Version & Updates').click();
    await page.getByText('1.0.0').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByText('Sign out').waitFor();
    expect(await page.getAttribute('body', 'data-hook')).toBe('called');
    expect(page.url()).toBe(`${origin}/#/nc/p_1?name=Orders&dbalias=t1&type=thing`);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('is dark from its first paint on when dark was chosen', async () => {
    const { page } = await openPage(1200);
    await page.goto(`${origin}/#/nc/p_1`);
    await page.getByText('Open orders').waitFor();
    await page.keyboard.press('Alt+Shift+D');
    await page.route('**/assets/main-*.js', (route) => route.abort());
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.close();
  });

  test('keeps the side bar in a drawer on a phone', async () => {
    const { page, problems } = await openPage(390);
    await page.goto(`${origin}/#/nc/p_1`);
    const entry = page.getByText('Open orders');
    await page.getByText('Nothing is open').waitFor();
    expect(await entry.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Side bar' }).click();
    await entry.click();
    await page.locator('.tr-form').waitFor();
    await entry.waitFor({ state: 'hidden' });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBe(widths[1]);
    expect(problems).toEqual([]);
    await page.close();
  });
});
