import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isExpected, type TrellisError } from '../errors/trellis-error.ts';
import { checkSchema } from '../settings/check-schema.ts';
import { formats } from '../settings/formats.ts';
import { parseManifest } from './parse-manifest.ts';
import { manifestSchema, SDK_CONTRACT } from './plugin-manifest.ts';
import { satisfies } from './versions.ts';

const rating = {
  id: 'column-rating',
  name: 'Rating',
  version: '1.0.0',
  category: 'column',
  engines: { trellis: '^1.0.0' },
  sdk: 1,
  dependencies: { 'sys-tables': '^1.0.0' },
  enabledByDefault: true,
  contributes: {
    routes: ['GET /api/v1/db/meta/ratings', '/api/v1/ratings'],
    columnTypes: [{ id: 'Rating', label: 'Rating', storage: 'integer', fallback: 'Number' }],
  },
};

function problemsOf(value: unknown): string {
  try {
    parseManifest(value, 'plugins/x/plugin.json');
    return '';
  } catch (error) {
    expect(isExpected(error)).toBe(true);
    expect(error).toMatchObject({ code: 'PLUGIN_MANIFEST_INVALID', status: 400 });
    return (error as TrellisError).message;
  }
}

describe('a manifest', () => {
  test('is read as it is', () => {
    expect(parseManifest(rating, 'here')).toBe(rating);
    expect(rating.sdk).toBe(SDK_CONTRACT);
  });

  test('is described by a schema that this validator and ajv both accept', () => {
    expect(checkSchema(manifestSchema)).toEqual([]);
    const ajv = new Ajv2020({ strict: true, strictTypes: false, formats });
    expect(ajv.validate(manifestSchema, rating)).toBe(true);
    expect(ajv.validate(manifestSchema, { ...rating, sdk: '1' })).toBe(false);
  });

  test.each([
    [{ name: 'Good\u202eevil' }, '/name must not hold control characters'],
    [{ author: 'Acme\u0000' }, '/author must not hold control characters'],
    [{ description: 'half \ud800' }, '/description must not hold control characters'],
    [{ name: '\u200b\u200d ' }, '/name must hold something that people see'],
    [{ contributes: { jobs: [{ id: 'x', label: 'a\u2066b' }] } }, '/contributes/jobs/0/label must not hold'],
    [{ contributes: { 'jo\u0007bs': [] } }, '/contributes must not hold'],
    [
      { settings: { type: 'object', properties: { a: { title: '\u001b[2J' } } } },
      '/settings/properties/a/title',
    ],
    [{ contributes: { routes: ['/a\u200bb'] } }, '/contributes/routes/0 must be a path of the product'],
    [{ contributes: { routes: [`/${'a'.repeat(300)}`] } }, '/contributes/routes/0 must'],
    [
      { contributes: { routes: Array.from({ length: 201 }, (_, at) => `/${at}`) } },
      '/contributes/routes must',
    ],
    [
      { contributes: { jobs: Array.from({ length: 501 }, (_, at) => ({ id: `j${at}` })) } },
      '/contributes/jobs must',
    ],
    [
      { dependencies: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`d${at}`, '*'])) },
      '/dependencies must',
    ],
  ])('holds what people see and can decide about: %#', (more, says) => {
    expect(problemsOf({ ...rating, ...more })).toContain(says);
  });

  test('that nests deeper than anybody sees is refused before anything walks down it', () => {
    let schema: object = { type: 'string' };
    for (let depth = 0; depth < 20_000; depth += 1) schema = { type: 'array', items: schema };
    const settings = { type: 'object', properties: { a: schema } };
    expect(problemsOf({ ...rating, settings })).toContain('must not nest deeper than');
  });

  test('may say of itself what people write, in their script', () => {
    const name = 'نمودار\u200c‌ها 👩\u200d🔬 – «Ö»';
    expect(problemsOf({ ...rating, name, description: 'One line\nand another\tone' })).toBe('');
  });

  test('lists every problem with its path and where it came from', () => {
    const message = problemsOf({ ...rating, id: 'Column_Rating', sdk: '1', colour: 'red', name: undefined });
    expect(message).toContain('plugins/x/plugin.json');
    expect(message).toContain("(root) must have 'name'");
    expect(message).toContain("(root) must not have the unknown property 'colour'");
    expect(message).toContain("/id must be lower-case words between hyphens, such as 'acme-mood'");
    expect(message).toContain('/sdk must be a whole number');
  });

  test.each([
    [
      { contributes: { hosts: ['https://x.example'] } },
      "/contributes/hosts/0 must be the name of a host, such as 'api.example.com'",
    ],
    [
      { contributes: { routes: ['api/v1'] } },
      "/contributes/routes/0 must be a path of the product, such as '/api/v1/version'",
    ],
    [
      { contributes: { tables: ['Day'] } },
      '/contributes/tables/0 must be lower-case letters, digits and underscores',
    ],
    [
      { contributes: { hooks: ['willCreate'] } },
      "/contributes/hooks/0 must be the id of a hook, such as 'rows.willCreate'",
    ],
    [{ version: 'one' }, '/version must be a semantic version'],
    [{ version: 'v1.0.0' }, '/version must be a semantic version'],
    [{ version: '0.1.0+42' }, '/version must be a semantic version'],
    [{ engines: { trellis: 'new' } }, '/engines/trellis must be a version range'],
    [
      { dependencies: { 'sys-tables': 'latest!' } },
      "/dependencies/sys-tables must be a version range, not 'latest!'",
    ],
    [
      { dependencies: { 'column-rating': '*' } },
      '/dependencies/column-rating must not name the plugin itself',
    ],
    [
      { conflicts: { 'sys-tables': '*' } },
      "/conflicts/sys-tables must not be named here and under 'dependencies'",
    ],
    [
      { settings: { type: 'object', properties: { a: { tipe: 'x' } } } },
      '/settings/properties/a/tipe is not a keyword',
    ],
    [{ settings: { type: 'string' } }, '/settings/type must be "object"'],
    [
      {
        settings: {
          type: 'object',
          properties: { key: { type: 'string', format: 'secret', 'x-page': true } },
        },
      },
      "/settings/properties/key/x-page cannot be set: /key is a secret, and what is marked is sent to everybody's page",
    ],
    [
      {
        settings: {
          type: 'object',
          properties: {
            auth: { 'x-page': true, properties: { token: { type: 'string' } } },
            list: { type: 'array', items: { type: 'string', 'x-page': true } },
          },
          allOf: [{ properties: { auth: { properties: { token: { format: 'secret' } } } } }],
        },
      },
      '/settings/properties/list/items/x-page can only mark a property of the settings',
    ],
    [
      {
        settings: {
          type: 'object',
          'x-page': true,
          patternProperties: { '^key': { type: 'string', format: 'secret' } },
        },
      },
      '/settings/x-page cannot be set: /* is a secret',
    ],
    [
      { settings: { type: 'object', properties: { user: { type: 'string', 'x-v1': ['username'] } } } },
      '/settings/properties/user/x-v1 must be a list of objects',
    ],
    [
      { contributes: { commands: [{ id: 'a' }, { id: 'a' }] } },
      "/contributes/commands/1/id repeats the id 'a'",
    ],
    [{ contributes: { commands: [{}] } }, "/contributes/commands/0 must have 'id'"],
    [{ contributes: { routes: ['api/x'] } }, '/contributes/routes/0 must be a path of the product'],
    [{ icon: '../../etc/passwd' }, '/icon must be a name of primeicons'],
  ])('is refused when it says %j', (change, expected) => {
    expect(problemsOf({ ...rating, ...change })).toContain(expected);
  });

  test.each([null, 'text', [], 5])('is refused when it is %j', (value) => {
    expect(problemsOf(value)).toContain('(root) must be an object');
  });
});

test('a pre-release satisfies the range that it leads into, and not the one after it', () => {
  expect(satisfies('1.3.0', '^1.2.0')).toBe(true);
  expect(satisfies('1.3.0-beta.1', '^1.2.0')).toBe(true);
  expect(satisfies('2.0.0-beta.1', '^1.2.0')).toBe(false);
  expect(satisfies('1.1.9', '^1.2.0')).toBe(false);
  expect(satisfies('0.1.0', '>=0.1.0 <2')).toBe(true);
});
