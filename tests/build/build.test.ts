import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ToyProduct } from './toy-product.ts';

let product: ToyProduct;

beforeAll(() => {
  product = new ToyProduct();
  product.write(
    'host-server/main.ts',
    `import { createToken } from '@trellis/core';
     import { findModuleLocations, serverModuleUrl } from './plugins/locate-modules.ts';
     const { default: mood } = await import(serverModuleUrl(findModuleLocations(), 'mood'));
     console.log(JSON.stringify({ mood: mood.text, oneSdk: mood.createToken === createToken, options: process.argv.slice(2), arenas: process.env.MALLOC_ARENA_MAX }));`,
  );
  product.write('host-server/databases/toy.worker.ts', `export const toy: string = 'worker';`);
  product.write('plugins/mood/plugin.json', '{ "id": "mood" }');
  product.write('plugins/mood/shared/index.ts', `export const text: string = 'glad';`);
  product.write(
    'plugins/mood/server/index.ts',
    `import { createToken } from '@trellis/sdk/shared';
     import { text } from '#plugins/mood/shared';
     export default { text, createToken };`,
  );
  product.write('plugins/mood/web/mood.css', '.mood { color: teal }');
  product.write('plugins/mood/web/lazy.css', '.lazy { color: gold }');
  product.write(
    'plugins/mood/web/Lazy.tsx',
    `import './lazy.css'; export default () => <i className="lazy" />;`,
  );
  product.write(
    'plugins/mood/web/index.tsx',
    `import './mood.css';
     import { lazy } from 'react';
     export default { Mood: lazy(() => import('./Lazy.tsx')) };`,
  );
  product.write(
    'host-web/main.tsx',
    `import { createRoot } from 'react-dom/client'; createRoot(document.body).render(<b />);`,
  );
});

afterAll(() => product.dispose());

describe('a start', () => {
  test('builds what is stale and runs the server with its options', () => {
    const { status, stdout, stderr } = product.node('host-server/start.mjs', '--safe-mode');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Building...');
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      mood: 'glad',
      oneSdk: true,
      options: ['--safe-mode'],
    });
  });

  test('builds nothing a second time, nor after a change of a test', () => {
    product.write('host-server/other.test.ts', '');
    expect(product.node('host-server/start.mjs').stdout).not.toContain('Building');
    expect(product.node('host-server/build/build-command.mjs').stdout).toBe('Already up to date.\n');
  });

  test('builds again after a change of a source', () => {
    product.write('plugins/mood/shared/index.ts', `export const text: string = 'merry';`);
    const { stdout } = product.node('host-server/start.mjs');
    expect(stdout).toContain('Building');
    expect(stdout).toContain('"mood":"merry"');
  });

  test('by npm keeps one arena of memory where the operator names no other number, and has the options', () => {
    const started = (arenas?: string) => {
      const { stdout } = product.npmStart(['--safe-mode', 'a b'], { MALLOC_ARENA_MAX: arenas });
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as unknown;
    };
    expect(started()).toMatchObject({ arenas: '1', options: ['--safe-mode', 'a b'] });
    expect(started('4')).toMatchObject({ arenas: '4' });
  });

  test('says what is wrong with a source, and tries again next time', () => {
    product.write('plugins/mood/shared/index.ts', 'export const text: string = ;');
    const broken = product.node('host-server/start.mjs');
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain('Trellis could not be prepared');
    product.write('plugins/mood/shared/index.ts', `export const text: string = 'glad';`);
    expect(product.node('host-server/start.mjs').stdout).toContain('"mood":"glad"');
  });
});

describe('the server bundle', () => {
  test('has an entry for each worker and each shared half of the SDK', () => {
    expect(readdirSync(join(product.folder, 'dist/server'))).toEqual(
      expect.arrayContaining(['main.mjs', 'toy.worker.mjs', 'sdk-server.mjs', 'sdk-shared.mjs']),
    );
    expect(product.json('dist/server/sdk-map.json')).toEqual({
      '@trellis/sdk/shared': './sdk-shared.mjs',
      '@trellis/sdk/server': './sdk-server.mjs',
    });
  });

  test('is ASCII, however its sources are written, and says the same', () => {
    product.write('plugins/mood/shared/index.ts', `export const text: string = 'gl\u00fccklich… 🙂';`);
    expect(product.node('host-server/start.mjs').stdout).toContain('"mood":"glücklich… 🙂"');
    const files = readdirSync(join(product.folder, 'dist/server'), { recursive: true, encoding: 'utf8' });
    const code = files
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => product.read(`dist/server/${file}`));
    expect(code.join('')).toContain('cklich\\u2026 ');
    expect(code.filter((text) => /[^\0-\x7f]/.test(text))).toEqual([]);
  });
});

describe('the web build', () => {
  const importMap = /<script type="importmap">(.*?)<\/script>/;

  test('has one inline script, the import map, and names its hash for the policy', () => {
    const page = product.read('dist/web/index.html');
    expect(page.match(/<script(?![^>]*\bsrc=)/g)).toHaveLength(1);
    const text = importMap.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(text).digest('base64');
    expect(product.json('dist/web/csp.json')).toEqual({ scriptHashes: [`sha256-${hash}`] });
    expect(page.indexOf('importmap')).toBeLessThan(page.indexOf('type="module"'));
  });

  test('maps every shared module to a file that has its exports', () => {
    const { imports } = JSON.parse(importMap.exec(product.read('dist/web/index.html'))?.[1] ?? '{}') as {
      imports: Record<string, string>;
    };
    for (const file of Object.values(imports))
      expect(existsSync(join(product.folder, 'dist/web', file))).toBe(true);
    expect(product.read(`dist/web${imports['react']}`)).toMatch(/export\s*\{[^}]*\buseState\b/);
    expect(Object.keys(imports)).toEqual(
      expect.arrayContaining(['react-dom', '@trellis/sdk/web', 'primereact/api']),
    );
  });

  test("lists each plugin's web half with the styles that it needs at once, and no others", () => {
    const { mood } = product.json<{ mood: { url: string; css: string[] } }>('dist/web/plugins.json');
    expect(mood.url).toMatch(/^\/assets\/plugin-mood-[\w-]+\.js$/);
    expect(mood.css.map((file) => product.read(`dist/web${file}`).trim())).toEqual([
      expect.stringContaining('.mood'),
    ]);
    expect(product.read('dist/web/index.html')).not.toContain('mood');
  });
});
