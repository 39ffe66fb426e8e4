import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
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
import type { JsonSchema, PluginManifest } from '@trellis/core';
import { editorSchema } from '../package/manifest-schema.ts';
import { settingsReference } from '../package/settings-schema.ts';

test("the lists in the SDK's README say what the catalogues say; write them by npm run sdk:reference", () => {
  const readme = readFileSync(referenceFile, 'utf8');
  expect(readme).toBe(withReference(readme));
});

describe('the schema of plugin.json for editors', () => {
  const schema = editorSchema();

  /** Everything in it that is an object, with its path. */
  function* partsOf(part: unknown, path = ''): Generator<readonly [path: string, part: object]> {
    if (typeof part !== 'object' || part === null) return;
    yield [path, part];
    for (const [key, child] of Object.entries(part)) yield* partsOf(child, `${path}/${key}`);
  }

  test('says of each key what it is for', () => {
    const keys = [...partsOf(schema)]
      .filter(([path]) => /(?<!\/properties)\/properties$/.test(path))
      .flatMap(([path, properties]) =>
        Object.entries(properties).map(([key, of]) => [`${path}/${key}`, of as JsonSchema] as const),
      );
    expect(keys.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        ...['license', 'contributes/properties/hooks', 'contributes/properties/automationSteps'].map(
          (key) => `/properties/${key}`,
        ),
        '/properties/contributes/properties/columnTypes/items/properties/fallback',
        '/$defs/field/properties/x-ui/properties/placeholder',
      ]),
    );
    expect(
      keys.filter(([, { description = '' }]) => !/\S{2}/.test(description)).map(([path]) => path),
    ).toEqual([]);
  });

  test('knows every registry, and refers to no other server', () => {
    const { properties } = schema as { readonly properties: Readonly<Record<string, JsonSchema>> };
    expect(Object.keys(properties['contributes']?.properties ?? {})).toEqual(
      expect.arrayContaining([...registryIds(), ...pluginRegistryIds()]),
    );
    const references = [...partsOf(schema)].flatMap(([, part]) => ('$ref' in part ? [part.$ref] : []));
    expect(new Set(references)).toEqual(new Set([settingsReference]));
  });

  test('accepts the manifest of each plugin of the product, and no settings that the host would refuse', () => {
    const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
    const problemsOf = (manifest: object) => {
      validate(manifest);
      return validate.errors ?? [];
    };
    const manifests = ['plugins', 'sdk/examples', 'sdk/templates'].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(
          ({ name }) => JSON.parse(readFileSync(join(folder, name, 'plugin.json'), 'utf8')) as PluginManifest,
        ),
    );
    expect(manifests.length).toBeGreaterThan(60);
    expect(
      manifests.flatMap((manifest) =>
        problemsOf(manifest).map(({ instancePath }) => [manifest.id, instancePath]),
      ),
    ).toEqual([]);
    const [plain] = manifests;
    for (const wrong of [
      { maxLenght: 3 },
      { $defs: {} },
      { if: {} },
      { 'x-ui': { oder: 1 } },
      { format: 'ipv4' },
    ])
      expect([
        wrong,
        problemsOf({ ...plain, settings: { type: 'object', properties: { a: wrong } } }),
      ]).not.toEqual([wrong, []]);
    expect(problemsOf({ ...plain, settings: { type: 'string' } })).not.toEqual([]);
  });
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
