import { expect, test } from '@jest/globals';
import type { PluginMigration } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import type { Lease } from '../runtime/leases.ts';
import { migratePlugin } from './plugin-migrations.ts';

const tables: string[] = [];
const warnings: string[] = [];
const metadataOf = (ended = new AbortController(), applied: readonly string[] = []) => ({
  warn: (text: string) => void warnings.push(text),
  metadata: {
    database: {
      read: async () => applied.map((id) => ({ id })),
      write: async () => undefined,
      schema: async (work: (changer: object) => unknown) =>
        work({ createTable: ({ name }: { readonly name: string }) => void tables.push(name) }),
    },
    leases: {
      hold: (_name: string, work: (lease: Lease) => Promise<unknown>) =>
        work({ fence: 1, signal: ended.signal }),
    },
  } as unknown as Metadata,
});

test('a plugin is migrated no further once another server may have begun', async () => {
  const lost = new AbortController();
  const ran: string[] = [];
  const problem = new Error('lost');
  const migrations = ['001-notes', '002-authors'].map((id) => ({
    id,
    async up() {
      ran.push(id);
      lost.abort(problem);
    },
  }));
  await expect(migratePlugin({ id: 'keeper' }, migrations, metadataOf(lost))).rejects.toBe(problem);
  expect(ran).toEqual(['001-notes']);
});

test('a migration makes no table but those that the manifest lists, to which people have agreed', async () => {
  const table = { columns: { id: { kind: 'string', required: true } }, key: ['id'] } as const;
  const migrations: readonly PluginMigration[] = [
    { id: '001-notes', up: (schema) => schema.createTable('note', table) },
    { id: '002-authors', up: (schema) => schema.createTable('author', table) },
  ];
  const manifest = { id: 'keeper', contributes: { tables: ['note'] } };
  await expect(migratePlugin(manifest, migrations, metadataOf())).rejects.toThrow(
    "The migration '002-authors' of plugin 'keeper' makes the table 'author', which its manifest does not list; add it to contributes.tables.",
  );
  expect(tables).toEqual(['p_keeper_note']);
});

/** What becomes of an update of a plugin two of whose migrations have run, with those that run for it. */
async function update(...ids: readonly string[]) {
  const ran: string[] = [];
  const migrations = ids.map((id) => ({ id, up: async () => void ran.push(id) }));
  warnings.length = 0;
  const manifest = { id: 'keeper', contributes: { tables: ['note'] } };
  const refused = await migratePlugin(
    manifest,
    migrations,
    metadataOf(undefined, ['001-notes', '003-authors']),
  ).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  return { ran, refused, warnings: [...warnings] };
}

test('a migration that would run behind those that it stands before is refused before any of them runs', async () => {
  expect(await update('001-notes', '002-late', '003-authors', '004-more')).toEqual({
    ran: [],
    refused:
      "The migration '002-late' of 'keeper' has not run here and sorts before '003-authors', which has; give it an id that sorts behind.",
    warnings: [],
  });
  expect(await update('001-notes', '003-authors', '004-more', '004-more')).toMatchObject({
    ran: [],
    refused: expect.stringContaining("are called '004-more'"),
  });
});

test('a version that lacks migrations which have run here goes on, as an older one does that is put back, and they are told of', async () => {
  const told = [expect.stringContaining('003-authors')];
  expect(await update('001-notes')).toEqual({ ran: [], refused: undefined, warnings: told });
  expect(await update('001-notes', '004-more')).toEqual({
    ran: ['004-more'],
    refused: undefined,
    warnings: told,
  });
  expect((await update()).warnings).toEqual([expect.stringContaining('001-notes, 003-authors')]);
  expect(await update('001-notes', '003-authors')).toEqual({ ran: [], refused: undefined, warnings: [] });
});
