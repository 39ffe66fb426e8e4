import { defineErrors } from '@trellis/core';
import type { PluginUnit, UserStorage } from '@trellis/sdk/server';
import { beginPattern } from '../../sql/long-texts.ts';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';

const storageErrors = defineErrors({
  STORAGE_KEY: { status: 400, message: "'{key}' is not a key: use at most 190 letters, digits and . _ -" },
  STORAGE_VALUE: { status: 400, message: "The value of '{key}' is larger than {limit} bytes." },
  STORAGE_TOO_MANY: { status: 400, message: 'At most {limit} values are kept for one person.' },
  STORAGE_TOO_LARGE: {
    status: 413,
    message: 'At most {limit} KB are kept for one person; remove some of the stored values first.',
  },
});

const keyShape = /^[\w.-]{1,190}$/;
const largestValue = 32 * 1024;
const mostValues = 500;
/** The most characters of all values of one person, which are sent in one answer. */
const largestStore = 1024 * 1024;

interface StoredValue {
  readonly key: string;
  readonly value: string;
}

function sizeOf(values: readonly StoredValue[]): number {
  return values.reduce((sum, { value }) => sum + value.length, 0);
}

export interface UserStorageDependencies {
  readonly metadata: Metadata;
  /** The transaction behind a plugin's unit. */
  readonly unitOf: (unit: PluginUnit) => Unit;
}

/** Small values of one person, for the shell and for plugins: JSON by key. */
export function createUserStorage({ metadata, unitOf }: UserStorageDependencies): UserStorage {
  const { database } = metadata;
  const rows = (unit: Unit, accountId: string) =>
    unit.knex('trellis_user_storage').where({ account_id: accountId });

  async function writeOne(unit: Unit, accountId: string, key: string, value: unknown): Promise<void> {
    if (value === null) {
      await unit.run(rows(unit, accountId).where({ key }).delete());
      return;
    }
    const text = JSON.stringify(value);
    await unit.run(
      unit
        .knex('trellis_user_storage')
        .insert({ account_id: accountId, key, value: text })
        .onConflict(['account_id', 'key'])
        .merge(['value']),
    );
  }

  const stored = (unit: Unit, accountId: string) =>
    unit.all<StoredValue>(rows(unit, accountId).select('key', 'value'));

  /** @throws TrellisError when a write made the store too large; a write that shrinks it always passes. */
  function assertWithin(before: readonly StoredValue[], after: readonly StoredValue[]): void {
    if (after.length > mostValues && after.length > before.length)
      throw storageErrors.create('STORAGE_TOO_MANY', { limit: mostValues });
    if (sizeOf(after) > largestStore && sizeOf(after) > sizeOf(before))
      throw storageErrors.create('STORAGE_TOO_LARGE', { limit: largestStore / 1024 });
  }

  return {
    async read(accountId) {
      const found = await database.read((unit) => stored(unit, accountId));
      return Object.fromEntries(found.map((row) => [row.key, JSON.parse(row.value) as unknown]));
    },
    async write(accountId, values) {
      for (const [key, value] of Object.entries(values)) {
        if (!keyShape.test(key)) throw storageErrors.create('STORAGE_KEY', { key: key.slice(0, 60) });
        if (JSON.stringify(value).length > largestValue) {
          throw storageErrors.create('STORAGE_VALUE', { key, limit: largestValue });
        }
      }
      // In a fixed order: two pages of a person that lock the same rows in different orders would deadlock.
      const sorted = Object.entries(values).toSorted(([left], [right]) => (left < right ? -1 : 1));
      await database.write(
        async (unit) => {
          const before = await stored(unit, accountId);
          for (const [key, value] of sorted) await writeOne(unit, accountId, key, value);
          assertWithin(before, await stored(unit, accountId));
        },
        { retry: true },
      );
    },
    async revise(of, prefix, change) {
      const unit = unitOf(of);
      const query = unit.knex('trellis_user_storage').where('key', 'like', beginPattern(prefix)).forUpdate();
      for (const row of await unit.all<StoredValue & { account_id: string }>(
        query.select('account_id', 'key', 'value'),
      )) {
        if (!row.key.startsWith(prefix)) continue;
        const before: unknown = JSON.parse(row.value);
        const after = change(before, row.key);
        if (after !== before) await writeOne(unit, row.account_id, row.key, after);
      }
    },
  };
}
