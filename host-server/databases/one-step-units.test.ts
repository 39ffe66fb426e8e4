import { Worker } from 'node:worker_threads';
import { expect, jest, test } from '@jest/globals';
import type { Statement, Unit } from '../sql/unit.ts';
import { describeEachDatabase, type OpenTestDatabase } from './testing.ts';

interface NumberUnit {
  readonly logged?: number;
  /** How many turns of the microtask queue pass before the unit ends. */
  readonly turns?: number;
  readonly meanwhile?: (unit: Unit) => Promise<unknown>;
  /** Whether the numbers are counted once for all units that share a transaction. */
  readonly isSettled?: boolean;
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, v) => v);
const statusOf = ({ status }: PromiseSettledResult<unknown>) => status;

/** A table of numbers, and a log of them that units of one step write as their last statement. */
async function openNumbers(open: OpenTestDatabase) {
  const database = await open();
  for (const name of ['numbers', 'logged'])
    await database.schema((changer) =>
      changer.createTable({
        name,
        columns: [
          { name: 'id', kind: 'integer', autoIncrement: true },
          { name: 'v', kind: 'integer' },
        ],
        primaryKey: ['id'],
        indexes: [{ name: `${name}_v`, columns: ['v'], unique: true }],
      }),
    );
  const into = (table: string, v: number) => ({ sql: `insert into ${table} (v) values (?)`, bindings: [v] });
  const done: number[] = [];
  return {
    database,
    /** The numbers whose commit was told, in that order. */
    done,
    /** Answers how many numbers there were. */
    add: (v: number, { logged = v, turns = 0, meanwhile, isSettled = false }: NumberUnit = {}) =>
      database.write(
        async (unit) => {
          const counting = { sql: 'select count(*) from numbers', bindings: [], isSettled };
          const [count] = await unit.batch([counting, into('numbers', v)]);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          await meanwhile?.(unit);
          await unit.last([into('logged', logged)]);
          unit.afterCommit(() => done.push(v));
          return Number(count?.rows[0]?.[0]);
        },
        { isOneStep: true, retry: true },
      ),
    async kept(table: string) {
      const { rows } = await database.read((unit) => unit.rows(unit.knex(table).orderBy('id').select('v')));
      return rows.map(([v]) => Number(v));
    },
  };
}

describeEachDatabase('units of one step', (open, dialect) => {
  test.each([
    ['is refused by its values', { v: 1 }],
    ['is refused at its end', { v: 2, logged: 1 }],
    ['throws', { v: 2, meanwhile: () => Promise.reject(new Error('changed my mind')) }],
  ])('fails one alone that %s beside others', async (_, { v, ...unit }) => {
    const { add, kept, done } = await openNumbers(open);
    await add(1);
    const outcomes = await Promise.allSettled([add(3), add(v, unit), add(4), add(5)]);
    expect(outcomes.map(statusOf)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(new Set(await kept('logged'))).toEqual(new Set([1, 3, 4, 5]));
    expect(new Set(await kept('numbers'))).toEqual(new Set([1, 3, 4, 5]));
    expect(new Set(done)).toEqual(new Set([1, 3, 4, 5]));
  });

  test('runs one after all that asks more than once', async () => {
    const { add, kept } = await openNumbers(open);
    const found: unknown[] = [];
    const meanwhile = async (unit: Unit) => {
      const { rows } = await unit.rows({ sql: 'select v from numbers where v = 2', bindings: [] });
      found.push(rows.length);
    };
    await Promise.all([add(1), add(2, { meanwhile }), add(3)]);
    expect(found).toEqual([1]);
    expect(new Set(await kept('logged'))).toEqual(new Set([1, 2, 3]));
  });

  if (dialect === 'mysql') return;

  test('gives each of those that wait together the work of those before it, and none behind it', async () => {
    const { add, kept, done } = await openNumbers(open);
    // The later a unit begins, the sooner it is ready to end.
    expect(await Promise.all(upTo(20).map((v) => add(v, { turns: 20 - v })))).toEqual(upTo(20));
    expect(await kept('logged')).toEqual(upTo(20));
    expect(done).toEqual(upTo(20));
  });

  test('asks what is settled once for all that wait together', async () => {
    const { add, kept } = await openNumbers(open);
    expect(await Promise.all(upTo(5).map((v) => add(v, { isSettled: true })))).toEqual([0, 0, 0, 0, 0]);
    expect(await kept('logged')).toEqual(upTo(5));
  });

  if (dialect === 'sqlite') {
    test('needs two messages for all that wait together', async () => {
      const { add } = await openNumbers(open);
      const sent = jest.spyOn(Worker.prototype, 'postMessage');
      await Promise.all(upTo(20).map((v) => add(v)));
      expect(sent).toHaveBeenCalledTimes(2);
      sent.mockRestore();
    });

    test('needs one message where its answers are foretold, and two where they are not as foretold', async () => {
      const { database, kept } = await openNumbers(open);
      const counting = 'select count(*) from numbers';
      const add = (v: number, before: (committed: number) => number) =>
        database.write(
          async (unit) => {
            const query: Statement = {
              sql: counting,
              bindings: [],
              foretell(known) {
                const committed = Number(known.read(query)?.[0]?.[0]);
                return { rows: [[before(committed)]], changes: 1 };
              },
            };
            const [count] = await unit.batch([query]);
            const number = Number(count?.rows[0]?.[0]);
            await unit.last([{ sql: 'insert into numbers (id, v) values (?, ?)', bindings: [number, v] }]);
            return number;
          },
          { isOneStep: true },
        );
      const sent = jest.spyOn(Worker.prototype, 'postMessage');
      expect(await add(7, (committed) => committed)).toBe(0);
      expect(sent).toHaveBeenCalledTimes(1);
      expect(await add(8, () => 100)).toBe(1);
      sent.mockRestore();
      // The next one does without foresight; what the last one was answered leaves nothing behind.
      for (const v of [9, 10]) await add(v, (committed) => committed);
      expect(await kept('numbers')).toEqual([7, 8, 9, 10]);
      const named = await database.write((unit) =>
        unit.first<Record<string, unknown>>({ sql: counting, bindings: [] }),
      );
      expect(named).toEqual({ 'count(*)': 4 });
    });
    return;
  }

  test('waits neither together nor behind one that waits for a lock', async () => {
    const { database, add } = await openNumbers(open);
    await add(1);
    const change = (v: number) =>
      database.write(
        async (unit) => {
          const update = { sql: 'update numbers set v = v where v = ?', bindings: [v] };
          const [answer] = await unit.batch([{ sql: 'select txid_current()', bindings: [] }, update]);
          await unit.last([]);
          return answer?.rows[0]?.[0];
        },
        { isOneStep: true, retry: true },
      );
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isLocked = () => {};
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    const holder = database.write(async (unit) => {
      await unit.rows({ sql: 'select v from numbers where v = 1 for update', bindings: [] });
      isLocked();
      await held;
    });
    await locked;
    const waiting = change(1);
    await Promise.all([change(2), change(3)]);
    await Promise.all([change(4), change(5)]);
    letGo();
    await Promise.all([holder, waiting]);
    // They share a transaction where nothing is in the way.
    expect(new Set(await Promise.all([change(1), change(2), change(3)])).size).toBe(1);
  });
});
