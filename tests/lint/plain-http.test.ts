import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const folders = ['core', 'host-web', 'plugins', 'sdk/shared', 'sdk/web'];
const ofPage = /^(?:core|host-web|sdk)\/|^plugins\/[^/]+\/(?:shared|web)\//;

/** What browsers lack on addresses without TLS. At `localhost`, where tests run, all of it is there. */
const absent = /\bcrypto\s*\??\.\s*(?:randomUUID|subtle)\b/;

function sources(): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      .filter((file) => ofPage.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file)),
  );
}

test('The page asks for nothing that browsers lack on plain http addresses', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(500);
  const asking = files.filter((file) =>
    // A comment may say why.
    absent.test(readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')),
  );
  expect(asking).toEqual([]);
});
