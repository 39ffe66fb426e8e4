import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const koa = { version: '3.3.0', integrity: 'sha512-koa' };
const otherPlatform = { version: '1.0.0', integrity: 'sha512-mac', optional: true };
let folder: string;

const write = (file: string, packages: Record<string, object>): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify({ packages }));
};

/** Runs the installer with a stand-in for npm that only says how it was called. */
function ensureInstalled(tools = false): { status: number | null; output: string } {
  const installer = pathToFileURL(join(import.meta.dirname, 'install.mjs')).href;
  const npm = join(folder, 'npm.cjs');
  writeFileSync(
    npm,
    `console.log('npm', ...process.argv.slice(2)); process.exitCode = Number(process.env.NPM_CODE);`,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { ensureInstalled } = await import(${JSON.stringify(installer)});
       await ensureInstalled(${JSON.stringify(folder)}, console.log, { tools: ${tools} }).catch((error) => { console.log(error.message); process.exitCode = 1; });`,
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: npm, NPM_CODE: process.env['NPM_CODE'] ?? '0' },
    },
  );
  return { status, output: stdout + stderr };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-install-'));
  write('package-lock.json', { '': {}, 'node_modules/koa': koa, 'node_modules/mac': otherPlatform });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  delete process.env['NPM_CODE'];
});

describe('dependencies', () => {
  test('are installed, without what only tests need, when there are none', () => {
    const { status, output } = ensureInstalled();
    expect(status).toBe(0);
    expect(output).toContain('Installing dependencies (first start only, one to three minutes)...');
    expect(output).toContain('npm ci --omit=dev');
  });

  test('keep of a SQLite that was compiled here only what is loaded', () => {
    const release = join(folder, 'node_modules/better-sqlite3/build/Release');
    mkdirSync(join(release, 'obj.target/sqlite3'), { recursive: true });
    for (const file of ['better_sqlite3.node', 'sqlite3.a', 'obj.target/sqlite3/sqlite3.o'])
      writeFileSync(join(release, file), '');
    ensureInstalled();
    expect(readdirSync(release)).toEqual(['better_sqlite3.node']);
  });

  test('have SQLite fitted to another Node than the one that installed it, once', () => {
    write('node_modules/.package-lock.json', { 'node_modules/koa': koa });
    const driver = join(folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
    mkdirSync(dirname(driver), { recursive: true });
    writeFileSync(driver, 'compiled for another Node');
    expect(ensureInstalled().output).toMatch(/^Fitting SQLite to Node v[^]*npm rebuild better-sqlite3/);
    expect(ensureInstalled()).toEqual({ status: 0, output: '' });
    // As the Node of a later year finds it.
    writeFileSync(join(folder, 'node_modules/.cache/trellis/node-of-driver'), '1');
    expect(ensureInstalled().output).toContain('npm rebuild better-sqlite3');
  });

  test('that cannot be fitted stop the start, and are tried again', () => {
    write('node_modules/.package-lock.json', { 'node_modules/koa': koa });
    mkdirSync(join(folder, 'node_modules/better-sqlite3'));
    process.env['NPM_CODE'] = '7';
    for (let start = 0; start < 2; start += 1)
      expect(ensureInstalled()).toEqual({
        status: 1,
        output: expect.stringContaining('npm rebuild failed with code 7'),
      });
  });

  test('leave SQLite alone where this Node loads it', () => {
    write('node_modules/.package-lock.json', { 'node_modules/koa': koa });
    const built = resolve(import.meta.dirname, '../../node_modules/better-sqlite3/build/Release');
    mkdirSync(join(folder, 'node_modules/better-sqlite3/build/Release'), { recursive: true });
    cpSync(
      join(built, 'better_sqlite3.node'),
      join(folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'),
    );
    // Whoever starts may not write where this would be noted.
    writeFileSync(join(folder, 'node_modules/.cache'), '');
    expect(ensureInstalled()).toEqual({ status: 0, output: '' });
    rmSync(join(folder, 'node_modules/.cache'));
    expect(ensureInstalled()).toEqual({ status: 0, output: '' });
  });

  test('are left alone when they are what the lock file asks for, however old it is', () => {
    write('node_modules/.package-lock.json', { 'node_modules/koa': koa });
    expect(ensureInstalled()).toEqual({ status: 0, output: '' });
  });

  test('that only tests need are installed for tests, and kept once they are there', () => {
    const jest = { version: '30.0.0', integrity: 'sha512-jest', dev: true };
    write('package-lock.json', { 'node_modules/koa': koa, 'node_modules/jest': jest });
    write('node_modules/.package-lock.json', { 'node_modules/koa': koa });
    expect(ensureInstalled(false)).toEqual({ status: 0, output: '' });
    expect(ensureInstalled(true).output).toContain('npm ci --include=dev');
    write('node_modules/.package-lock.json', {
      'node_modules/koa': { ...koa, version: '3.2.0' },
      'node_modules/jest': jest,
    });
    expect(ensureInstalled(false).output).toContain('npm ci --include=dev');
  });

  test('are installed again when the lock file asks for another version', () => {
    write('node_modules/.package-lock.json', { 'node_modules/koa': { ...koa, version: '3.2.0' } });
    expect(ensureInstalled().output).toContain('npm ci');
  });

  test('that cannot be installed stop the start with the reason', () => {
    process.env['NPM_CODE'] = '7';
    expect(ensureInstalled()).toEqual({
      status: 1,
      output: expect.stringContaining('npm ci failed with code 7'),
    });
  });
});
