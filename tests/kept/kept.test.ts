import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-kept-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs files one after another in one process. Whatever the file, it may say which turn it had. */
async function run(kind: 'node' | 'jsdom', files: Readonly<Record<string, string>>) {
  const head = `
    import { writeFileSync } from 'node:fs';
    import { expect, jest, test } from '@jest/globals';
    import { HookPoint } from ${JSON.stringify(join(root, 'core/hooks/hook-point.ts'))};
    import { kit } from './kit.js';
    function takeTurn() {
      HookPoint.turn = (HookPoint.turn ?? 0) + 1;
      writeFileSync(new URL('turn-' + HookPoint.turn, import.meta.url), '');
    }`;
  const config = pathToFileURL(join(root, 'sdk/testing/jest/config.mjs')).href;
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'kit.js'), 'export const kit = {};');
  await writeFile(
    join(folder, 'jest.config.mjs'),
    `import { inNode } from ${JSON.stringify(config)};
    export default {
      ...inNode,
      testEnvironment: '${root}/tests/kept/${kind}-environment.cjs',
      runtime: '${root}/tests/kept/runtime.cjs',
      testMatch: ['<rootDir>/*.test.js'],
      cache: false,
    };`,
  );
  for (const [name, text] of Object.entries(files)) {
    const [, docblock = ''] = /^(\/\*\*.*\*\/)/.exec(text) ?? [];
    await writeFile(join(folder, `${name}.test.js`), docblock + head + text.slice(docblock.length));
  }
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '-c', join(folder, 'jest.config.mjs'), '-i'];
  const output = await new Promise<string>((ended) => {
    execFile(process.execPath, ['--experimental-vm-modules', ...jest], (_, out, errors) =>
      ended(out + errors),
    );
  });
  const turns = (await readdir(folder)).filter((name) => name.startsWith('turn-'));
  return { output, turns: turns.toSorted() };
}

test('a file finds the modules of the product as the one before it left them, and all else as it was at first', async () => {
  const leavesAll = `
    test('finds nothing but the product as it was left, and leaves all that a file can leave', () => {
      expect(kit.left).toBe(undefined);
      expect([process.env.LEFT, process.env.HOME === 'elsewhere']).toEqual([undefined, false]);
      expect(typeof fetch).toBe('function');
      expect(jest.isMockFunction(JSON.parse)).toBe(false);
      expect(Date.now()).toBeGreaterThan(0);
      takeTurn();
      kit.left = true;
      process.env.LEFT = 'left';
      process.env.HOME = 'elsewhere';
      globalThis.fetch = undefined;
      jest.spyOn(JSON, 'parse');
      jest.useFakeTimers({ now: 0 });
      expect(Date.now()).toBe(0);
    });
    test('cannot replace a module', () => {
      expect(() => jest.unstable_mockModule('./kit.js', () => ({}))).toThrow('an environment of its own');
    });`;
  const { output, turns } = await run('node', {
    first: leavesAll,
    second: leavesAll,
    third: `/** @jest-environment ${root}/sdk/testing/jest/node-environment.cjs */
      test('has modules of its own', () => expect(HookPoint.turn).toBe(undefined));
      test('and may replace them', () => { jest.unstable_mockModule('./kit.js', () => ({})); });`,
  });
  expect(output).toMatch(/Tests: +6 passed, 6 total/);
  expect(turns).toEqual(['turn-1', 'turn-2']);
});

test('a file in a page finds an empty document at its first address, and empty storages', async () => {
  const leavesAll = `
    test('finds nothing that another file left, and leaves all that a page can hold', () => {
      const { documentElement, head, body, cookie } = document;
      expect([documentElement.outerHTML, cookie, location.href, history.state]).toEqual([
        '<html><head></head><body></body></html>', '', 'http://localhost/', null,
      ]);
      expect([localStorage.length, sessionStorage.length, innerWidth]).toEqual([0, 0, 1024]);
      takeTurn();
      documentElement.lang = 'de';
      body.className = 'left';
      head.append(document.createElement('style'));
      body.append('left');
      document.cookie = 'left=1';
      localStorage.setItem('left', '1');
      sessionStorage.setItem('left', '1');
      history.pushState({ left: 1 }, '', '/left#left');
      window.innerWidth = 1;
      setInterval(() => { document.title = 'left'; }, 1);
      const draw = () => requestAnimationFrame(draw);
      draw();
    });`;
  const { output, turns } = await run('jsdom', { first: leavesAll, second: leavesAll });
  expect(output).toMatch(/Tests: +2 passed, 2 total/);
  expect(output).not.toContain('did not exit');
  expect(turns).toEqual(['turn-1', 'turn-2']);
});

test('a file after one in which a test failed finds nothing of it', async () => {
  const fails = `
    test('fails', () => {
      takeTurn();
      expect(1).toBe(2);
    });`;
  const { output, turns } = await run('node', { first: fails, second: fails });
  expect(output).toMatch(/Tests: +2 failed, 2 total/);
  expect(turns).toEqual(['turn-1']);
});

test('what a file began to import is there for the next one, which may hold the promise of it', async () => {
  const late = JSON.stringify(join(root, 'host-server/host.ts'));
  const either = `
    test('begins, and leaves it to the next one to wait', async () => {
      takeTurn();
      HookPoint.late ??= import(${late});
      if (HookPoint.turn === 2) expect(typeof (await HookPoint.late).createHost).toBe('function');
    });`;
  const { output, turns } = await run('node', { first: either, second: either });
  expect(output).toMatch(/Tests: +2 passed, 2 total/);
  expect(turns).toEqual(['turn-1', 'turn-2']);
});
