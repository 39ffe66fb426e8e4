import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import type { LiveEvent } from '@trellis/sdk/shared';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { SettledLog } from '../settled-log.ts';
import { createTestLog, loggedTable } from '../testing.ts';
import { LiveFeed } from './live-feed.ts';

const table = loggedTable({ columnById: new Map([['cl_name', { title: 'Name' }]]) });

describeEachMetadata('the live feed', (open) => {
  async function start(publish?: (event: LiveEvent) => Promise<void>) {
    const { database, metadata, log, statementsOf } = await createTestLog(await open());
    const settled = new SettledLog(metadata);
    const sent: LiveEvent[] = [];
    const errors: unknown[] = [];
    const feed = new LiveFeed({
      log,
      settled,
      async publish(event) {
        await publish?.(event);
        sent.push(event);
      },
      isHeard: () => true,
      tableOf: async () => table,
      onError: (error) => errors.push(error),
    });
    /** Writes an entry of one row for each key. */
    async function write(...rowKeys: string[]): Promise<void> {
      const statements = rowKeys.flatMap((rowKey) => {
        const change = { op: 'update', rowKey, before: { cl_name: '' }, after: { cl_name: rowKey } } as const;
        return statementsOf({ table, changes: [change] });
      });
      await database.write((unit) => unit.batch(statements));
    }
    return { settled, feed, sent, errors, write };
  }

  test('says that the database cannot be reached once for each look, and goes on when it can', async () => {
    const { settled, feed, sent, errors, write } = await start();
    const end = settled.end.bind(settled);
    let looks = 0;
    settled.end = async () => {
      looks += 1;
      // A feed that asks without a pause gets an answer some time, so that it does not hang the test.
      if (looks > 100) return end();
      throw new Error('no database');
    };
    feed.wake();
    await setImmediate();
    const looksAtOnce = looks;
    settled.end = end;
    await feed.catchUp();
    await write('1');
    // A number that another transaction took and gave up holds the next ones back for a moment.
    await askUntil(
      () => feed.catchUp().then(() => sent.length),
      (count) => count > 0,
    );
    feed.dispose();
    expect(errors.length).toBeGreaterThan(0);
    expect(looksAtOnce).toBeLessThan(10);
    expect(sent).toEqual([expect.objectContaining({ kind: 'rows', tableId: 'md_1' })]);
  });

  test('reads on when an event has gone out: what waits for slow listeners stays in the log', async () => {
    let going = 0;
    let mostGoing = 0;
    const { feed, sent, write } = await start(async () => {
      going += 1;
      mostGoing = Math.max(mostGoing, going);
      await setImmediate();
      going -= 1;
    });
    await feed.catchUp();
    for (const rowKey of ['1', '2', '3']) await write(rowKey);
    await feed.catchUp();
    feed.dispose();
    expect(sent).toHaveLength(3);
    expect(mostGoing).toBe(1);
  });

  test.each([
    ['who joins', (feed: LiveFeed) => feed.catchUp()],
    ['who begins to follow the log', (_: LiveFeed, settled: SettledLog) => settled.end()],
  ])('answers %s though others write all the time', async (_, ask) => {
    const { settled, feed, write } = await start();
    await feed.catchUp();
    const after = settled.after.bind(settled);
    const mostLooks = 100;
    let looks = 0;
    settled.after = async (seq) => {
      looks += 1;
      // Who waits until nothing follows gets an end some time, so that it does not hang the test.
      if (looks < mostLooks) await write(String(looks));
      return after(seq);
    };
    await write('first');
    await ask(feed, settled);
    expect(looks).toBeLessThan(mostLooks);
    looks = mostLooks;
    await feed.catchUp();
    feed.dispose();
  });

  test('says one word about a table of which very many entries wait', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { settled, feed, sent, write } = await start(() => gate);
    await feed.catchUp();
    await write('first');
    feed.wake();
    await write(...Array.from({ length: 201 }, (_, index) => String(index)));
    open();
    await feed.catchUp();
    await feed.catchUp();
    feed.dispose();
    const reset = { kind: 'rowsReset', projectId: 'p_1', tableId: 'md_1', requestId: '' };
    expect(sent.at(-1)).toEqual({ ...reset, seq: await settled.newest() });
    expect(sent.length).toBeLessThan(201);
  });
});
