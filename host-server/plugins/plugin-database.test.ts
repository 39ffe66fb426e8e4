import { expect, test } from '@jest/globals';
import type { Metadata } from '../metadata/metadata.ts';
import type { Lease } from '../runtime/leases.ts';
import { migratePlugin } from './plugin-database.ts';

test('a plugin is migrated no further once another server may have begun', async () => {
  const lost = new AbortController();
  const metadata = {
    database: { read: async () => [], write: async () => undefined },
    leases: {
      hold: (_name: string, work: (lease: Lease) => Promise<unknown>) =>
        work({ fence: 1, signal: lost.signal }),
    },
  } as unknown as Metadata;
  const ran: string[] = [];
  const problem = new Error('lost');
  const migrations = ['001-notes', '002-authors'].map((id) => ({
    id,
    async up() {
      ran.push(id);
      lost.abort(problem);
    },
  }));
  await expect(migratePlugin('keeper', migrations, metadata)).rejects.toBe(problem);
  expect(ran).toEqual(['001-notes']);
});
