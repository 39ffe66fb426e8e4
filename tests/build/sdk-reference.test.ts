import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Box, linesOf, pictureWidth } from './draw-picture.ts';
import { pagePictures } from './page-pictures.ts';
import {
  exampleFolders,
  hookIds,
  pictureFiles,
  pictureFolder,
  placesOfPage,
  pluginRegistryIds,
  referenceFile,
  registryIds,
  withReference,
  workedExamples,
} from './sdk-reference.ts';
import type { JsonSchema } from '@trellis/core';
import { editorSchema } from '../package/manifest-schema.ts';

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
  expect(rows.map(({ id }) => id)).toEqual([...registryIds(), ...pluginRegistryIds(), ...hookIds()]);
  const without = rows.filter(({ template, file }) => template === undefined && file === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
  expect(rows.filter(({ test: tested }) => tested === undefined).map(({ id }) => id)).toEqual([]);
});

test('no example leans on what other plugins of the product share, since a copy of it could not', () => {
  const root = join(import.meta.dirname, '../..');
  const leaning = exampleFolders().filter((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
      .some((name) => readFileSync(join(root, folder, name), 'utf8').includes("'#plugins/")),
  );
  expect(exampleFolders().length).toBeGreaterThan(30);
  expect(leaning).toEqual([]);
});

test('the book shows a scheduled action as it is tested', () => {
  const example = join(import.meta.dirname, '../../plugins/schedules/testing/example-plugin.ts');
  expect(readFileSync(referenceFile, 'utf8')).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``);
});

test('registries that plugins define are listed with their items and what becomes of stored ids', () => {
  const [, list = ''] = readFileSync(referenceFile, 'utf8').split(
    '### Registries that plugins of the product define',
  );
  const rows = (list.split('\n### ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(/ +\| +/));
  expect([...new Set(rows.map(([id = '']) => id.replaceAll('`', '')))]).toEqual(pluginRegistryIds());
  expect(pluginRegistryIds()).toEqual(expect.arrayContaining(['automationSteps', 'scheduledActions']));
  expect(
    rows.filter((cells) => cells.length !== 5 || cells.some((cell) => ['', '`?`'].includes(cell))),
  ).toEqual([]);
});

test('every place of the page stands in a picture of the book', () => {
  const drawn = new Set(pagePictures.flatMap(({ boxes }) => boxes.map(({ place }) => place)));
  const places = [...placesOfPage().keys()];
  expect(places).toEqual(expect.arrayContaining(['home', 'menu person', 'view-toolbar-end', 'columnTypes']));
  expect(places.filter((place) => !drawn.has(place))).toEqual([]);
});

test('the pictures beside the book are those that are drawn now; write them by npm run sdk:reference', () => {
  const folder = join(referenceFile, '..', pictureFolder);
  const kept = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  expect(new Map(kept as [string, string][])).toEqual(pictureFiles());
});

test('what a picture says has room in its box, and no word of it lies below another box', () => {
  for (const { name, height, boxes } of pagePictures)
    for (const [index, box] of boxes.entries()) {
      const [left, top, width, tall] = box.at;
      expect([name, box, left + width <= pictureWidth && top + tall <= height]).toEqual([name, box, true]);
      for (const { text, isPlace, x, y } of linesOf(box)) {
        const end = x + text.length * (isPlace ? 6.7 : 5.6);
        expect([name, text, end <= left + width && y + 3 <= top + tall]).toEqual([name, text, true]);
        const hides = ({ at: [from, above, wide, high] }: Box) =>
          from < end && from + wide > x && above < y + 3 && above + high > y - 9;
        expect([name, text, boxes.slice(index + 1).filter(hides)]).toEqual([name, text, []]);
      }
    }
});
