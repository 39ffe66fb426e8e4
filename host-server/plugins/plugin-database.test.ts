import { expect, test } from '@jest/globals';
import type { PluginMigration } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import type { Lease } from '../runtime/leases.ts';
import { migratePlugin } from './plugin-database.ts';

const tables: string[] = [];
const metadataOf = (ended = new AbortController()) =>
  ({
    database: {
      read: async () => [],
      write: async () => undefined,
      schema: async (work: (changer: object) => unknown) =>
        work({ createTable: ({ name }: { readonly name: string }) => void tables.push(name) }),
    },
    leases: {
      hold: (_name: string, work: (lease: Lease) => Promise<unknown>) =>
        work({ fence: 1, signal: ended.signal }),
    },
  }) as unknown as Metadata;

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
