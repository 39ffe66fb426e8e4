import { expect, test } from '@jest/globals';
import { checksumOf, migrations } from './migrations.ts';

/** The beginnings of the checksums with which each migration was released: on SQLite and PostgreSQL, and on MySQL where they differ. */
const released: Readonly<Record<string, readonly [string, string?]>> = {
  '001-tables': ['5d64c3a06be7', 'f611cb3dd499'],
  '002-long-row-keys': ['b4bc86a9d6a6', '6afa7a318c99'],
  '003-change-log': ['2075f0f1246b', '41586f1555a3'],
  '004-sys-rows': ['d29ef4648858'],
  '005-links': ['67912278dcc1'],
  '006-tasks': ['0f9bbe87dca9', '29735a0802dc'],
  '007-staged-rows': ['64059cf1f4b0', 'e385fad87e7f'],
  '008-delivery-order': ['5c2eb4c04d60'],
  '009-call-claims': ['623ca9b73902'],
  '010-view-column-options': ['07afd9726b0b'],
  '011-link-columns': ['36af1a3a948b'],
  '012-row-counters': ['4fba865d476a'],
  '013-column-descriptions': ['183b8649d81c'],
  '014-base-rules': ['e45171f3425f'],
  '015-disabled-accounts': ['0ff9a71684a8'],
  '016-view-facts': ['0ddb7eca65b6'],
  '017-view-groups': ['8417133c8d68'],
  '018-log-links': ['248aadf5eb88'],
  '019-retries-by-table': ['ca9b48b1bf7e'],
};

test('a migration that was released is never changed: a server refuses data that ran another one of its name', () => {
  const beginnings = migrations.map((migration) => {
    const [sqlite, postgres, mysql] = (['sqlite', 'postgres', 'mysql'] as const).map((dialect) =>
      checksumOf(migration, dialect).slice(0, 12),
    );
    expect([migration.id, postgres]).toEqual([migration.id, sqlite]);
    return [migration.id, mysql === sqlite ? [sqlite] : [sqlite, mysql]] as const;
  });
  // A new one is added here when it is made.
  expect(Object.fromEntries(beginnings)).toEqual(released);
});
