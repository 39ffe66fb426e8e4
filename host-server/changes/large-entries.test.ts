import { expect, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import type { LiveEvent } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../metadata/testing.ts';
import { createAuditLog } from './audit-log.ts';
import { LiveFeed } from './live/live-feed.ts';
import { HostBackground } from '../runtime/background/host-background.ts';
import { createOutbox } from './outbox/outbox.ts';
import { changesOfOperation, rowHistory } from './read-log.ts';
import { forgetColumn } from './retention/forget.ts';
import { pruneChanges } from './retention/prune.ts';
import type { RowChange } from './row-change.ts';
import { SettledLog } from './settled-log.ts';
import { author, createTestLog, loggedTable } from './testing.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const day = 24 * 60 * 60 * 1000;
const column = { id: 'cl_note', title: 'Note' };
const table = loggedTable({ columnById: new Map([[column.id, column]]) });

const change = (text: string): RowChange => ({
  op: 'update',
  rowKey: '1',
  before: { [column.id]: '' },
  after: { [column.id]: text },
});

describeEachMetadata('entries of the log that are too large for one answer together', (open) => {
  test('reach every reader, and are emptied of a column that was dropped', async () => {
    const { database, metadata, log } = await createTestLog(await open());
    const outbox = createOutbox({
      metadata,
      log,
      background: new HostBackground(),
      logger,
      every: 1_000_000,
    });
    const delivered: number[] = [];
    outbox.subscribe({
      id: 'test',
      deliver: async ({ change: { after } }) =>
        void delivered.push(JSON.stringify(after?.[column.id]).length - 2),
    });
    await outbox.settle();
    const published: LiveEvent[] = [];
    const failures: unknown[] = [];
    const feed = new LiveFeed({
      log,
      settled: new SettledLog(metadata),
      publish: async (event) => void published.push(event),
      isHeard: () => true,
      tableOf: async () => table,
      onError: (error) => void failures.push(error),
    });
    await feed.catchUp();

    // Together 97 MB as the databases count them, ten of them too many for one answer; the last one is larger than what is read at once.
    const lengths = [...Array.from({ length: 11 }, () => 3_600_000), 9_000_000];
    const operation = log.begin(author);
    for (const length of lengths) {
      const { statements } = log.record(operation, [{ table, changes: [change('ä'.padEnd(length, 'x'))] }]);
      await database.write((unit) => unit.batch(statements));
    }

    await feed.catchUp();
    expect(failures).toEqual([]);
    expect(published.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 11 }, () => 'rows'),
      'rowsReset',
    ]);
    feed.dispose();
    await outbox.settle();
    expect(delivered).toEqual(lengths);
    await outbox.dispose();

    const history = await rowHistory(metadata, { tableId: table.id, key: '1' }, { limit: 100 });
    const lengthOf = ({ after }: { readonly after: RowChange['after'] }) =>
      JSON.stringify(after?.[column.id]).length - 2;
    expect(history.map((entry) => lengthOf(entry.change))).toEqual(lengths.toReversed());
    const made = await changesOfOperation(metadata, { projectId: 'p_1', operationId: operation.id });
    expect(made.map(lengthOf)).toEqual(lengths);
    const scope = {
      principal: author.principal,
      projectId: 'p_1',
      require() {},
      rowPredicate: () => undefined,
    } as unknown as AccessScope;
    const audit = await createAuditLog(metadata, { log, bus: { publish: () => undefined } }).list(scope, {
      limit: 100,
      offset: 0,
    });
    expect(audit.map(({ rowKey }) => rowKey)).toEqual(lengths.map(() => '1'));

    await forgetColumn(metadata, { tableId: table.id, columnId: column.id });
    expect(await rowHistory(metadata, { tableId: table.id, key: '1' }, { limit: 1 })).toMatchObject([
      { change: { after: {} } },
    ]);
  });

  test('are pruned, with what points at them', async () => {
    const { database, metadata, write } = await createTestLog(await open());
    for (let turn = 0; turn < 11; turn += 1) await write({ table, changes: [change('x'.repeat(3_600_000))] });
    const { signal } = new AbortController();
    await pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + 91 * day });
    for (const name of ['trellis_log_entry', 'trellis_log_row'])
      expect(await database.read((unit) => unit.all(unit.knex(name).select('seq').limit(1)))).toEqual([]);
  });
});
