import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  hookIds,
  placeIds,
  placesDrawn,
  referenceFile,
  registryIds,
  withReference,
  workedExamples,
} from './sdk-reference.ts';
import type { JsonSchema } from '@trellis/core';
import { editorSchema } from '../package/manifest-schema.ts';
import { webAbsentPolicies } from '../../sdk/web/create-registries.ts';

test("the lists in the SDK's README say what the catalogues say; write them by npm run sdk:reference", () => {
  const readme = readFileSync(referenceFile, 'utf8');
  expect(readme).toBe(withReference(readme));
});

test('an editor is told what each key of plugin.json says, and each of contributes that is no registry', () => {
  /** Words that everybody knows. */
  const isPlain = new Set(['author', 'license']);
  const { properties } = editorSchema() as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const isRegistry = new Set<string>(registryIds().filter((id) => id !== 'routes'));
  const keys = [
    ...Object.entries(properties).filter(([key]) => key !== '$schema' && !isPlain.has(key)),
    ...Object.entries(properties['contributes']?.properties ?? {}).filter(([key]) => !isRegistry.has(key)),
  ];
  expect(keys.map(([key]) => key)).toEqual(
    expect.arrayContaining(['id', 'routes', 'hosts', 'tables', 'hooks', 'pages']),
  );
  expect(keys.filter(([, schema]) => !schema.description).map(([key]) => key)).toEqual([]);
});

test('each hook says what its handlers are given, in which order they run, whether they may refuse, and how long they have', () => {
  const readme = readFileSync(referenceFile, 'utf8');
  const rows = readme
    .split('\n')
    .filter((line) => /^\| `[a-z]+\.(will|did)[A-Z]\w*` +\| (waterfall|bail|did) /.test(line))
    .map((line) => line.slice(2, -2).split(/ +\| +/));
  expect(rows.map(([id = '']) => id.replaceAll('`', ''))).toEqual(hookIds());
  expect(
    rows.filter((cells) => cells.length !== 7 || cells.some((cell) => ['', '`?`'].includes(cell.trim()))),
  ).toEqual([]);
  const of = (id: string) => rows.find(([of = '']) => of === `\`${id}\``)?.slice(2, 6);
  expect(of('rows.willCreate')).toEqual(['`RowInput[]`, `RowHookContext`', 'in turn', 'yes', '5 s']);
  expect(of('columns.willDelete')).toEqual([
    '`{ scope: AccessScope; table: TableSchema; columnId: string }`',
    'in turn',
    'yes',
    '5 s',
  ]);
  expect(of('rows.didPurge')).toEqual(['`{ tableId: string; keys: RowKey[] }`', 'all at once', 'no', 'none']);
  expect(of('api.willSend')).toEqual([
    '`Readonly<Record<string, string>>`, `{ method: string; path: string }`',
    'in turn',
    'no',
    '5 s',
  ]);
});

test('every registry and every hook has a worked example that authors have, with a test', () => {
  const rows = workedExamples();
  expect(rows.map(({ id }) => id)).toEqual([...registryIds(), ...hookIds()]);
  const without = rows.filter(({ template, file }) => template === undefined && file === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
  expect(rows.filter(({ test: tested }) => tested === undefined).map(({ id }) => id)).toEqual([]);
});

test('every place and every registry of the page that is drawn stands in its picture', () => {
  const drawn = new Set(placesDrawn().match(/[\w-]+/g));
  // These are drawn nowhere of their own: in dialogs, in menus that show them all, or as part of what stands there.
  const elsewhere = ['filterOperators', 'toolbarItems', 'shellItems', 'menuItems'];
  const wanted = [...placeIds(), ...Object.keys(webAbsentPolicies).filter((id) => !elsewhere.includes(id))];
  expect(wanted.filter((id) => !drawn.has(id))).toEqual([]);
});
