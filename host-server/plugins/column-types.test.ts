import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { defineColumnType, type ColumnTypeDefinition } from '@trellis/sdk/shared';
import { createTestServer, pluginState, testPlugin } from '@trellis/sdk/testing/server';
import { openDatabase } from '../databases/index.ts';

const color = defineColumnType<string>({
  id: 'Color',
  label: 'Color',
  icon: 'palette',
  storage: 'string',
  accepts: ['string', 'text'],
  fallback: 'SingleLineText',
  operators: ['eq'],
  parse: (input) =>
    input === null || input === ''
      ? { ok: true, value: null }
      : typeof input === 'string' && /^#[0-9a-f]{6}$/.test(input)
        ? { ok: true, value: input }
        : { ok: false, message: 'must be a colour such as #1971c2' },
  format: (value) => value ?? '',
  examples: [
    { input: '#1971c2', value: '#1971c2' },
    { input: null, value: null },
  ],
  invalid: ['blue'],
});

const providing = (type: unknown) =>
  testPlugin('colors', (ctx) => void ctx.register('columnTypes', type as typeof color), {
    enabledByDefault: false,
  });

describe('a column type is held against its own words when its plugin is enabled', () => {
  const mistakes: readonly [string, object, string][] = [
    ['an unknown storage kind', { storage: 'longText' }, "'storage' is 'longText'; write one of boolean,"],
    ['an unknown kind that it accepts', { accepts: ['string', 'words'] }, "'accepts' names 'words'"],
    ['kinds without its own', { accepts: ['text'] }, "add 'string'"],
    ['no parse', { parse: undefined }, "'parse' is missing; write a function"],
    ['no format', { format: undefined }, "'format' is missing; write a function"],
    ['a fallback that nobody registers', { fallback: 'Colour' }, "falls back to 'Colour', which no plugin"],
    [
      'a parse that throws',
      {
        parse: () => {
          throw new Error('no such colour');
        },
      },
      "it throws 'no such colour'",
    ],
    ['an example that it refuses', { examples: [{ input: 'x', value: 'x' }] }, 'with the example "x"'],
    [
      'an example that it reads otherwise',
      { examples: [{ input: '#1971c2', value: null }] },
      'the example says',
    ],
    ['an invalid input that it takes', { invalid: ['#1971c2'] }, "although 'invalid' lists it"],
    [
      'defaults that its own schema refuses',
      {
        options: {
          schema: { type: 'object', properties: { max: { type: 'integer' } } },
          defaults: { max: 'many' },
        },
      },
      "'options.defaults' do not fit",
    ],
  ];

  test('and its mistake is said in words', async () => {
    // One server for all: what is switched on is the same plugin with another mistake each time.
    let type: ColumnTypeDefinition<string> = color;
    const server = await createTestServer({
      plugins: [
        testPlugin('colors', (ctx) => void ctx.register('columnTypes', type as never), {
          enabledByDefault: false,
        }),
      ],
    });
    try {
      for (const [name, mistake, sentence] of mistakes) {
        type = { ...color, ...mistake } as typeof color;
        const refused: unknown = await server.host.plugins.enable('colors').catch((error: unknown) => error);
        expect([name, String(refused)]).toEqual([name, expect.stringContaining(sentence)]);
        expect(server.host.registries.get('columnTypes').get('Color')).toBeUndefined();
      }
      type = color;
      await server.host.plugins.enable('colors');
      expect(await pluginState(server, 'colors')).toEqual(['enabled', undefined]);
    } finally {
      await server.dispose();
    }
  });
});

test('a stored column of a kind that nobody knows leaves its table readable', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-kind-'));
  const first = await createTestServer({ dataDir, plugins: [providing(color)] });
  await first.host.plugins.enable('colors');
  const boss = await first.signUp();
  const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Walls' });
  const table = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Walls',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Paint', uidt: 'Color' },
    ],
  });
  const path = `/api/v1/db/data/noco/Walls/${table.body.id}`;
  expect((await boss.post(path, { Paint: '#1971c2' })).status).toBe(200);
  await first.dispose();

  // What a version left that took any word for a kind.
  const file = join(dataDir, 'trellis.db');
  const database = await openDatabase({ kind: 'sqlite', file }, { name: 'kind' });
  await database.write((unit) =>
    unit.run(unit.knex('trellis_column').where({ uidt: 'Color' }).update({ storage: 'longText' })),
  );
  await database.close();

  const second = await createTestServer({ dataDir });
  const signedIn = await second.client.post<{ token: string }>('/api/v1/auth/user/signin', {
    email: 'person1@example.com',
    password: 'Password-1',
  });
  const again = second.client.with({ token: signedIn.body.token });
  expect(await again.get(path)).toMatchObject({ status: 200, body: { list: [{ Paint: '#1971c2' }] } });
  expect((await again.get(`${path}/1`)).status).toBe(200);
  await second.dispose();
  await rm(dataDir, { recursive: true });
});
