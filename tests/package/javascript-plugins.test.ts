import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuthorFolder, localeRemark } from './outside-folder.ts';

const outside = new AuthorFolder();
const kinds = readdirSync(resolve(import.meta.dirname, '../../sdk/templates')).sort();

beforeAll(() => outside.prepare());
afterAll(() => outside.dispose());

/** Makes a plugin in JavaScript. @returns its folder */
function create(kind: string, id: string): string {
  const args = [id, '--template', kind, '--javascript', '--sdk', `file:${outside.sdk}`];
  expect(outside.create(...args)).toMatchObject({ status: 0 });
  return join(outside.path, id);
}

describe('a plugin in JavaScript', () => {
  const ids = kinds.map((kind) => `acme-${kind}`);

  test.each(kinds)('has no TypeScript in it: %s', (kind) => {
    const folder = create(kind, `acme-${kind}`);
    const own = readdirSync(folder).filter((name) => name !== 'tsconfig.json');
    const texts = own.flatMap((name) => textsOf(join(folder, name)));
    expect(texts.filter((text) => /\.tsx?\b/.test(text))).toEqual([]);
  });

  test('passes its own check untouched, of each kind at once', () => {
    const looks = ids.map((id) => `${id}\nok      manifest\nok      types\nok      imports\n`);
    const { status, output } = outside.trellisPlugin(['check', ...ids]);
    expect([status, output.replace(localeRemark, '')]).toEqual([0, `${looks.join('')}ok      promises\n`]);
  });

  test('is tested, of each kind', () => {
    const files = outside.testFiles(...ids);
    expect([...new Set(files.map((file) => dirname(dirname(file))))]).toEqual(ids);
    expect(outside.test(...ids)).toEqual(files);
  });

  test('is packed', () => {
    expect(outside.trellisPlugin(['pack'], join(outside.path, 'acme-view'))).toMatchObject({ status: 0 });
  });

  test('is told by the compiler that checks it of a value that is not of the type that its comment says', () => {
    const folder = create('importer', 'acme-wrong');
    const file = 'server/read-rows.js';
    const right = readFileSync(join(folder, file), 'utf8');
    expect(right).toContain('@param {string} line');
    outside.write({
      [`acme-wrong/${file}`]: right.replace('readRow(line, number)', 'readRow(number, line)'),
    });
    const { status, output } = outside.node(['node_modules/typescript/bin/tsc', '-p', folder]);
    expect([status === 0, output]).toEqual([false, expect.stringMatching(/^\S*server\/read-rows\.js/m)]);
  });
});

/** The paths and texts of a file, or of all files within a folder. */
function textsOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [`${path}\n${readFileSync(path, 'utf8')}`];
  const names = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => `${file}\n${readFileSync(file, 'utf8')}`);
}
