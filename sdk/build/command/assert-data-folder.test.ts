import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { assertDataFolder } from './assert-data-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-data-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hold = (names: readonly string[]) => names.forEach((name) => mkdirSync(join(folder, name)));

describe('the folder that --data names', () => {
  test.each([
    ['an empty one', []],
    ['that of a product with SQLite', ['trellis.db', 'trellis.db-wal', 'secret', 'notes.txt']],
    ['that of a product with another database and a secret of its own', ['plugins', 'files', 'sqlite']],
    ['one with a configuration beside it', ['trellis.json', 'backup']],
    ['one in which a plugin was stopped', ['stopped-plugin.json', 'backup']],
    ['an empty disk', ['lost+found']],
    ['a disk with data of a product', ['lost+found', 'plugins']],
  ])('may be %s', async (_, names) => {
    hold(names);
    await expect(assertDataFolder(folder)).resolves.toBeUndefined();
  });

  test.each([
    ['notes.txt', ['lost+found', 'notes.txt', 'plugins']],
    ['package.json', ['package.json', 'plugins']],
  ])('is none that holds %s alone', async (first, names) => {
    hold(names);
    await expect(assertDataFolder(folder)).rejects.toThrow(`it holds '${first}'; --data names the folder`);
  });
});
