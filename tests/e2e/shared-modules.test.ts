import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ToyProduct } from '../build/toy-product.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
};

/** A page that loads what the query names (a file, and behind `#` its part), and writes down what the browser refused. */
const page = `
import { Component, type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PrimeReactProvider } from 'primereact/api';

interface Loaded { Cell: () => ReactNode; useState: unknown }
const refused: string[] = [];
document.addEventListener('securitypolicyviolation', (event) => refused.push(event.violatedDirective));
class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError(error: Error) { return { message: error.message }; }
  override render() { return this.state.message === undefined ? this.props.children : <p id="failure">{this.state.message}</p>; }
}
const urls = new URLSearchParams(location.search).getAll('load');
const load = async (named: string): Promise<Loaded> => {
  const [url = '', part = 'default'] = named.split('#');
  return (await import(/* @vite-ignore */ url))[part];
};
const loaded = await Promise.all(urls.map(load));
Object.assign(window, { proof: { refused, oneReact: loaded.every((half) => half.useState === useState) } });
const cells = loaded.map(({ Cell }, index) => <Boundary key={index}><Cell /></Boundary>);
createRoot(document.getElementById('root') as HTMLElement).render(<PrimeReactProvider>{cells}</PrimeReactProvider>);
`;

const counter = (name: string): string => `
import { useState } from 'react';
import { Button } from 'primereact/button';
import { defineWebPlugin } from '@trellis/sdk/web';
const Cell = () => { const [count, set] = useState(0); return <Button id="${name}" label={'${name} ' + count} onClick={() => set(count + 1)} />; };
export default { ...defineWebPlugin({ setup() {} }), Cell, useState };
`;

describeInBrowser('a plugin that was built elsewhere', () => {
  let product: ToyProduct;
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    product = new ToyProduct();
    product.write('host-server/main.ts', 'export {};');
    product.write('host-web/main.tsx', page);
    product.write('plugins/inside/plugin.json', '{ "id": "inside" }');
    product.write('plugins/inside/web/index.tsx', counter('inside'));
    const manifest = {
      id: 'outside',
      name: 'Outside',
      version: '1.0.0',
      category: 'tool',
      engines: { trellis: '>=0.1.0' },
      sdk: 1,
    };
    product.write('outside/plugin.json', JSON.stringify(manifest));
    product.write('outside/web/index.tsx', counter('outside'));
    expect(product.node('host-server/build/build-command.mjs').stderr).toBe('');
    expect(product.buildPlugin('outside').stderr).toBe('');
    const policy = [
      "default-src 'self'",
      `script-src 'self' ${product
        .json<{ scriptHashes: string[] }>('dist/web/csp.json')
        .scriptHashes.map((hash) => `'${hash}'`)
        .join(' ')}`,
      "style-src 'self' 'unsafe-inline'",
      "object-src 'none'",
      "base-uri 'none'",
    ].join('; ');
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      const file = path.startsWith('/outside/')
        ? join(product.folder, path)
        : join(product.folder, 'dist/web', path === '/' ? 'index.html' : path);
      if (!existsSync(file)) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': policy,
      });
      response.end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server.close(resolve));
    product.dispose();
  });

  test('runs on the one React of the page, beside a built-in one, under the strict policy', async () => {
    const { inside } = product.json<Record<string, { url: string; part?: string }>>('dist/web/plugins.json');
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    const named = encodeURIComponent([inside?.url, inside?.part].filter(Boolean).join('#'));
    await tab.goto(`${origin}/?load=${named}&load=/outside/dist/web/index.js`);
    for (const name of ['inside', 'outside']) {
      await tab.click(`#${name}`);
      await tab.getByText(`${name} 1`).waitFor();
    }
    expect(await tab.evaluate('window.proof')).toEqual({ refused: [], oneReact: true });
    expect(errors).toEqual([]);
    await tab.close();
  });

  test('would fail with a React of its own', async () => {
    product.write('outside/dist/web/index.js', readFileSync(ownReact(product), 'utf8'));
    const tab = await browser.newPage();
    await tab.goto(`${origin}/?load=/outside/dist/web/index.js`);
    expect(await tab.textContent('#failure')).toMatch(/null \(reading 'useState'\)/);
    await tab.close();
  });
});

/** A module that brings its own React, as a plugin built without the plugin builder would. */
function ownReact(product: ToyProduct): string {
  product.write(
    'own/index.ts',
    `import { useState } from 'react';
     export default { useState, Cell: () => { useState(0); return null; } };`,
  );
  product.write(
    'own/build.mjs',
    `import { build } from 'vite';
     await build({ configFile: false, root: import.meta.dirname, logLevel: 'warn',
       define: { 'process.env.NODE_ENV': '"production"' },
       build: { lib: { entry: 'index.ts', formats: ['es'], fileName: () => 'index.js' } } });`,
  );
  const { stderr } = product.node('own/build.mjs');
  if (stderr !== '') throw new Error(stderr);
  return join(product.folder, 'own/dist/index.js');
}
