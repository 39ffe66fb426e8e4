import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const repository = resolve(import.meta.dirname, '../..');
let folder: string;

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const json = <T>(file: string): T => JSON.parse(read(file)) as T;
const node = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

/** A product of one plugin, with the real SDK, build and start. */
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-build-')));
  for (const shared of ['core', 'sdk', 'node_modules'])
    symlinkSync(join(repository, shared), join(folder, shared));
  for (const copied of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'host-web/build',
    'host-server/build',
  ]) {
    cpSync(join(repository, copied), join(folder, copied), { recursive: true });
  }
  cpSync(join(repository, 'host-server/start.mjs'), join(folder, 'host-server/start.mjs'));
  cpSync(
    join(repository, 'host-server/plugins/locate-modules.ts'),
    join(folder, 'host-server/plugins/locate-modules.ts'),
  );
  write(
    'host-server/main.ts',
    `import { createToken } from '@trellis/core';
     import { findModuleLocations, serverModuleUrl } from './plugins/locate-modules.ts';
     const { default: mood } = await import(serverModuleUrl(findModuleLocations(), 'mood'));
     console.log(JSON.stringify({ mood: mood.text, oneSdk: mood.createToken === createToken, options: process.argv.slice(2) }));`,
  );
  write('host-server/databases/toy.worker.ts', `export const toy: string = 'worker';`);
  write('plugins/mood/plugin.json', '{ "id": "mood" }');
  write('plugins/mood/shared/index.ts', `export const text: string = 'glad';`);
  write(
    'plugins/mood/server/index.ts',
    `import { createToken } from '@trellis/sdk/shared';
     import { text } from '#plugins/mood/shared';
     export default { text, createToken };`,
  );
  write('plugins/mood/web/mood.css', '.mood { color: teal }');
  write('plugins/mood/web/lazy.css', '.lazy { color: gold }');
  write('plugins/mood/web/Lazy.tsx', `import './lazy.css'; export default () => <i className="lazy" />;`);
  write(
    'plugins/mood/web/index.tsx',
    `import './mood.css';
     import { lazy } from 'react';
     export default { Mood: lazy(() => import('./Lazy.tsx')) };`,
  );
  write(
    'host-web/main.tsx',
    `import { createRoot } from 'react-dom/client'; createRoot(document.body).render(<b />);`,
  );
  write(
    'host-web/index.html',
    '<!doctype html><html><head><script type="module" src="/main.tsx"></script></head><body></body></html>',
  );
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a start', () => {
  test('builds what is stale and runs the server with its options', () => {
    const { status, stdout, stderr } = node('host-server/start.mjs', '--safe-mode');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Building...');
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      mood: 'glad',
      oneSdk: true,
      options: ['--safe-mode'],
    });
  }, 60_000);

  test('builds nothing a second time, nor after a change of a test', () => {
    write('host-server/other.test.ts', '');
    expect(node('host-server/start.mjs').stdout).not.toContain('Building');
    expect(node('host-server/build/build-command.mjs').stdout).toBe('Already up to date.\n');
  });

  test('builds again after a change of a source', () => {
    write('plugins/mood/shared/index.ts', `export const text: string = 'merry';`);
    const { stdout } = node('host-server/start.mjs');
    expect(stdout).toContain('Building');
    expect(stdout).toContain('"mood":"merry"');
  }, 60_000);

  test('says what is wrong with a source, and tries again next time', () => {
    write('plugins/mood/shared/index.ts', 'export const text: string = ;');
    const broken = node('host-server/start.mjs');
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain('Trellis could not be prepared');
    write('plugins/mood/shared/index.ts', `export const text: string = 'glad';`);
    expect(node('host-server/start.mjs').stdout).toContain('"mood":"glad"');
  }, 60_000);
});

describe('the server bundle', () => {
  test('has an entry for each worker and each shared half of the SDK', () => {
    expect(readdirSync(join(folder, 'dist/server'))).toEqual(
      expect.arrayContaining(['main.mjs', 'toy.worker.mjs', 'sdk-server.mjs', 'sdk-shared.mjs']),
    );
    expect(json('dist/server/sdk-map.json')).toEqual({
      '@trellis/sdk/shared': './sdk-shared.mjs',
      '@trellis/sdk/server': './sdk-server.mjs',
    });
  });
});

describe('the web build', () => {
  const importMap = /<script type="importmap">(.*?)<\/script>/;

  test('has one inline script, the import map, and names its hash for the policy', () => {
    const page = read('dist/web/index.html');
    expect(page.match(/<script(?![^>]*\bsrc=)/g)).toHaveLength(1);
    const text = importMap.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(text).digest('base64');
    expect(json('dist/web/csp.json')).toEqual({ scriptHashes: [`sha256-${hash}`] });
    expect(page.indexOf('importmap')).toBeLessThan(page.indexOf('type="module"'));
  });

  test('maps every shared module to a file that has its exports', () => {
    const { imports } = JSON.parse(importMap.exec(read('dist/web/index.html'))?.[1] ?? '{}') as {
      imports: Record<string, string>;
    };
    for (const file of Object.values(imports)) expect(existsSync(join(folder, 'dist/web', file))).toBe(true);
    expect(read(`dist/web${imports['react']}`)).toMatch(/export\s*\{[^}]*\buseState\b/);
    expect(Object.keys(imports)).toEqual(
      expect.arrayContaining(['react-dom', '@trellis/sdk/web', 'primereact/api']),
    );
  });

  test("lists each plugin's web half with the styles that it needs at once, and no others", () => {
    const { mood } = json<{ mood: { url: string; css: string[] } }>('dist/web/plugins.json');
    expect(mood.url).toMatch(/^\/assets\/plugin-mood-[\w-]+\.js$/);
    expect(mood.css.map((file) => read(`dist/web${file}`).trim())).toEqual([
      expect.stringContaining('.mood'),
    ]);
    expect(read('dist/web/index.html')).not.toContain('mood');
  });
});
