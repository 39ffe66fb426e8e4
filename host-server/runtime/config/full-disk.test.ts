import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pluginErrors } from '@trellis/core';
import { DatabaseError } from '../../databases/index.ts';
import { keptSecret } from './kept-secret.ts';
import { startProblem } from './start-problem.ts';

const root = join(import.meta.dirname, '../../..');
const runTypeScript = join(root, 'tests/run-typescript.mjs');

describe('on a full disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-full-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('a start names the folder and leaves nothing behind, least of all an empty secret', async () => {
    const script = join(import.meta.dirname, 'on-full-disk.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [runTypeScript, script, folder]);
    const [ofFolder, ofSecret] = JSON.parse(stdout) as readonly string[];
    expect(ofFolder).toContain(`The disk of the folder ${folder} is full (EFBIG); make room on it, or set`);
    expect(ofSecret).toContain('EFBIG');
    expect(await readdir(folder)).toEqual([]);
    expect(await keptSecret(folder, undefined)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a server goes on though its log can take no more lines', async () => {
    const script = join(import.meta.dirname, '../logging/logs-on-full-disk.ts');
    const log = join(folder, 'log');
    const { stderr } = await promisify(execFile)(process.execPath, [runTypeScript, script, log]);
    expect(stderr).toContain('went on');
    expect(await readFile(log, 'utf8')).toContain('A line of the log');
  });
});

test('an empty secret is refused, since anybody knows the keys that are made of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-no-secret-'));
  await writeFile(join(folder, 'secret'), '\n');
  await expect(keptSecret(folder, undefined)).rejects.toThrow(
    `The file ${join(folder, 'secret')} is empty, and this server cannot sign and encrypt without a secret.`,
  );
  await rm(folder, { recursive: true });
});

test('a start that a full disk ends says which one, whatever was being stored', () => {
  const dataDir = '/srv/data';
  const ofFile = { dataDir, database: { kind: 'sqlite', file: '/srv/data/trellis.db' } } as const;
  const full = new DatabaseError('storageFull');
  const told = /^The disk of \/srv\/data is full; make room on it and start again/;
  const ofPlugin = pluginErrors.create('PLUGIN_FAILED', { plugin: 'a', step: 'migrate', reason: '' }, full);
  expect(startProblem(ofPlugin, ofFile)).toMatch(told);
  expect(startProblem(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }), ofFile)).toMatch(told);
  const elsewhere = { dataDir, database: { kind: 'sqlite', file: '/db/trellis.db' } } as const;
  expect(startProblem(full, elsewhere)).toMatch(/^The disk of \/srv\/data or of \/db\/trellis\.db is full/);
  expect(startProblem(new Error('No port'), ofFile)).toBe('No port');
});
