import { expect, test } from '@jest/globals';
import { describeEachDatabase } from '../databases/testing.ts';
import { createLeases } from '../runtime/leases.ts';
import { carryChanges } from './carry-changes.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

interface Former {
  readonly id: string;
  readonly operation_id: string;
  readonly op: string;
  readonly row_key: string;
  readonly at: number;
}

/** Changes as the version before recorded them: single ones, and calls of many rows of which one is longer than a page. */
function formerChanges(): readonly Former[] {
  const changes: Former[] = [];
  const add = (operation: string, op: string, row_key: string, at: number) =>
    changes.push({
      id: `ch_${String(changes.length).padStart(6, '0')}`,
      operation_id: `op_${operation}`,
      op,
      row_key,
      at,
    });
  for (let index = 0; index < 300; index += 1) add(`single${index}`, 'update', `k${index % 7}`, 1000 + index);
  for (let index = 0; index < 1700; index += 1) add('bulk', 'insert', String(index + 1), 2000);
  for (let index = 0; index < 40; index += 1) add('twin', 'delete', String(index + 1), 2000);
  for (let index = 0; index < 20; index += 1) add(`late${index}`, 'update', 'x'.repeat(200), 3000);
  return changes;
}

describeEachDatabase('the former changes', (open) => {
  async function former() {
    const database = await open();
    const leases = createLeases(database);
    await migrate(database, leases, { migrations: migrations.slice(0, 2) });
    const changes = formerChanges();
    const place = { project_id: 'p_1', base_id: 'ds_1', table_id: 'md_1' };
    await database.write(async (unit) => {
      for (let start = 0; start < changes.length; start += 200) {
        const rows = changes.slice(start, start + 200).map((change) => ({
          ...change,
          ...place,
          kind: 'row',
          before: change.op === 'insert' ? null : JSON.stringify({ cl_a: change.id }),
          after: change.op === 'delete' ? null : JSON.stringify({ cl_a: change.id, cl_b: [1] }),
          origin: 'api',
          state: 'done',
        }));
        await unit.run(unit.knex('trellis_change').insert(rows));
      }
      const pending = { id: 'ch_open', operation_id: 'op_open', op: 'insert', after: '{"cl_a":1}', at: 4000 };
      await unit.run(
        unit
          .knex('trellis_change')
          .insert({ ...pending, ...place, kind: 'row', origin: 'api', state: 'pending' }),
      );
      for (const [index, type] of ['DATA', 'AUTHENTICATION', 'TABLE'].entries())
        await unit.run(
          unit.knex('trellis_audit').insert({
            id: `adt_${index}`,
            type,
            sub_type: type === 'TABLE' ? 'CREATED' : null,
            description: `${type} happened`,
            at: 1500 + index,
          }),
        );
    });
    return { database, leases, changes };
  }

  async function logOf(database: Awaited<ReturnType<typeof open>>) {
    const entries = await database.read((unit) =>
      unit.all<{
        seq: number;
        kind: string;
        operation_id: string;
        rows: string | null;
        details: string | null;
      }>(unit.knex('trellis_log_entry').orderBy('seq').select('*')),
    );
    const rows = entries.flatMap(({ operation_id, rows: text }) =>
      (JSON.parse(text ?? '[]') as [string, unknown[] | null, unknown[] | null][]).map(
        ([key, before, after]) => `${operation_id} ${key} ${String((after ?? before)?.[0])}`,
      ),
    );
    return { entries, rows };
  }

  test('are carried over whole and in their order, many rows to an entry', async () => {
    const { database, leases, changes } = await former();
    await migrate(database, leases);
    const { entries, rows } = await logOf(database);
    expect(rows.toSorted()).toEqual(
      changes.map(({ operation_id, row_key, id }) => `${operation_id} ${row_key} ${id}`).toSorted(),
    );
    expect(rows.filter((row) => row.startsWith('op_bulk'))).toEqual(
      changes
        .filter(({ operation_id }) => operation_id === 'op_bulk')
        .map(({ operation_id, row_key, id }) => `${operation_id} ${row_key} ${id}`),
    );
    expect(entries.length).toBeLessThan(340);
    expect(entries.flatMap(({ kind, details }) => (kind === 'row' ? [] : [`${kind} ${details}`]))).toEqual([
      expect.stringMatching(/^event .*AUTHENTICATION happened/),
      expect.stringMatching(/^schema .*TABLE happened/),
    ]);
    const pending = await database.read((unit) => unit.all(unit.knex('trellis_pending').select('*')));
    expect(pending).toEqual([expect.objectContaining({ operation_id: 'op_open', state: 'pending' })]);
  });

  test('are carried over once, also by a server that was stopped in the middle of it', async () => {
    const { database, leases, changes } = await former();
    const known = migrations.map((migration) =>
      migration.carry === carryChanges
        ? {
            ...migration,
            carry: (of: typeof database) => {
              let looks = 0;
              const signal = {
                throwIfAborted() {
                  looks += 1;
                  if (looks === 2) throw new Error('stopped');
                },
              } as AbortSignal;
              return carryChanges(of, signal);
            },
          }
        : migration,
    );
    await expect(migrate(database, leases, { migrations: known })).rejects.toThrow('stopped');
    await migrate(database, leases);
    const { rows } = await logOf(database);
    expect(rows).toHaveLength(changes.length);
    expect(new Set(rows).size).toBe(changes.length);
  });

  test('are carried over in smaller pages where their texts are long', async () => {
    const { database, leases } = await former();
    const text = 'x'.repeat(600_000);
    for (let index = 0; index < 70; index += 1) {
      const row = {
        id: `ch_long${index}`,
        operation_id: `op_long${index}`,
        op: 'insert',
        row_key: `l${index}`,
      };
      const place = { project_id: 'p_1', base_id: 'ds_1', table_id: 'md_1' };
      const after = JSON.stringify({ cl_a: text });
      await database.write((unit) =>
        unit.run(
          unit
            .knex('trellis_change')
            .insert({ ...row, ...place, after, kind: 'row', origin: 'api', state: 'done', at: 5000 + index }),
        ),
      );
    }
    await migrate(database, leases);
    const { n } = await database.read(async (unit) => {
      const row = await unit.first<{ n: number | string }>(
        unit.knex('trellis_log_entry').where('operation_id', 'like', 'op_long%').count({ n: '*' }),
      );
      return { n: Number(row?.n) };
    });
    expect(n).toBe(70);
  });

  test('are kept when not all of them arrived', async () => {
    const { database, leases } = await former();
    await database.write((unit) =>
      unit.run(
        unit.knex('trellis_setting').insert({
          key: 'carry.003-change-log',
          value: JSON.stringify({
            change: [2500, '', ''],
            audit: [-1, '', ''],
            operation: '',
            part: 0,
            changes: 5,
            audits: 0,
          }),
        }),
      ),
    );
    await expect(migrate(database, leases)).rejects.toMatchObject({ code: 'METADATA_NOT_CARRIED' });
    expect(await database.schema((changer) => changer.hasTable('trellis_change'))).toBe(true);
  });
});
