import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { PluginEntity, PluginSettingsForm } from '@trellis/sdk/shared';

let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signUp();
});
afterAll(() => server?.dispose());

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function wordsIn(locale: string): Promise<Words> {
  const { body } = await admin.get<{ words: Words }>(`/api/v1/app-store/words?locale=${locale}`);
  return body.words;
}

const shown = new Set(['title', 'description', 'help', 'placeholder', 'group']);

/** The texts of a form that its schema describes. */
function textsOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(textsOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    // Labels for clients of the v1 API, which the page does not show.
    if (key === 'x-v1') return [];
    if (shown.has(key) && typeof value === 'string') return [value];
    return key === 'labels' && Array.isArray(value) ? (value as string[]) : textsOf(value);
  });
}

test('each built-in plugin says in German what it is, what its settings mean and which rights it brings', async () => {
  const words = await wordsIn('de');
  const { body } = await admin.get<{ list: readonly PluginEntity[] }>('/api/v1/app-store/plugins');
  const missing: string[] = [];
  for (const { id, name, description = '', labels, hasSettings } of body.list) {
    const path = `/api/v1/app-store/plugins/${id}/settings`;
    const form = hasSettings ? (await admin.get<PluginSettingsForm>(path)).body : undefined;
    const texts = [
      name,
      description,
      ...Object.values(labels['permissions'] ?? {}),
      ...textsOf(form?.schema),
    ];
    const own = words[id] ?? {};
    for (const text of texts)
      if (/[a-zA-Z]/.test(text) && !Object.hasOwn(own, text)) missing.push(`${id}: ${text}`);
  }
  expect(missing).toEqual([]);
  expect(words['channel-slack']?.['Address of its webhook']).toBe('Adresse seines Webhooks');
});

test('each channel asks in German for what a message over it needs', async () => {
  const words = await wordsIn('de');
  const channels = Object.keys(words).filter((id) => id.startsWith('channel-'));
  for (const id of channels) await admin.post(`/api/v1/app-store/plugins/${id}/enable`, {});
  const meta = '/api/v1/db/meta';
  const { body: project } = await admin.post<{ id: string }>(`${meta}/projects`, { title: 'Told' });
  const { body: table } = await admin.post<{ id: string }>(`${meta}/projects/${project.id}/tables`, {
    title: 'Told',
    columns: [{ title: 'Id', uidt: 'ID' }],
  });
  const { body } = await admin.get<{ list: readonly { plugin: string; settings: unknown }[] }>(
    `${meta}/tables/${table.id}/hooks/channels`,
  );
  expect(new Set(body.list.map(({ plugin }) => plugin))).toEqual(new Set(channels));
  const missing = body.list.flatMap(({ plugin, settings }) =>
    textsOf(settings)
      .filter((text) => /[a-zA-Z]/.test(text) && !Object.hasOwn(words[plugin] ?? {}, text))
      .map((text) => `${plugin}: ${text}`),
  );
  expect(missing).toEqual([]);
});

test('a language that no plugin speaks has no words, and its name is no way to other files', async () => {
  expect(await wordsIn('ja')).toEqual({});
  expect(await wordsIn('..%2F..%2Fpackage')).toEqual({});
  const other = await server.signUp();
  expect((await other.get('/api/v1/app-store/words?locale=de')).status).toBe(200);
  expect((await server.client.get('/api/v1/app-store/words?locale=de')).status).toBe(401);
});
