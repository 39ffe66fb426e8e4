import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const folders = ['host-web', 'sdk/web', 'plugins', 'stories'];

/** What needs more room than a phone turned on its side has, or than the narrowest has: the file and the width, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  // A row of tools that would push the title of the page aside.
  'plugins/sys-app-store/web/app-store.css': 'min-width: 900px',
  // A form beside the panel that builds it.
  'plugins/view-form/web/form-builder.css': 'max-width: 900px',
  // One line of tools, which the narrowest phones have no room for.
  'sdk/web/views/views.css': 'max-width: 359px',
};

function sheets(): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.css'))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      .filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file)),
  );
}

test('The page changes for small screens at one width', () => {
  const widths = sheets().flatMap((file) =>
    Array.from(
      readFileSync(join(root, file), 'utf8').matchAll(/@media([^{]*\bwidth\b[^{]*)\{/g),
      ([, query]) => ({
        file,
        query: query?.trim().replace(/^\(|\)$/g, ''),
      }),
    ),
  );
  expect(widths.length).toBeGreaterThan(10);
  const others = widths.filter(
    ({ file, query }) =>
      query !== 'max-width: 767px' && query !== 'min-width: 768px' && exceptions[file] !== query,
  );
  expect(others).toEqual([]);
  const unused = Object.entries(exceptions).filter(
    ([file, query]) => !widths.some((width) => width.file === file && width.query === query),
  );
  expect(unused).toEqual([]);
});
