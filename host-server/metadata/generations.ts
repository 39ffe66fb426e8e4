import { Emitter, type Event } from '@trellis/core';
import type { Bus } from '@trellis/sdk/server';
import type { Database } from '../databases/database.ts';
import { compileQuery } from '../databases/compile-query.ts';
import { foretoldRead } from '../sql/foresight.ts';
import { bound, sql, toRaw } from '../sql/fragment.ts';
import type { Statement, Unit } from '../sql/unit.ts';

export interface GenerationChange {
  /** A project's id, or `access`, `accounts`, `plugins`, `projects`. */
  readonly scope: string;
  readonly value: number;
}

/**
 * Numbers that grow with every change of something that servers keep in memory, so that each of them knows when to read
 * again: at once in the process that wrote and in those that the bus reaches, within half a second in the others.
 */
export interface Generations {
  /** The number as this process knows it; 0 for a scope that never changed. */
  current(scope: string): number;
  /** The number in the database. */
  read(unit: Unit, scope: string): Promise<number>;
  /**
   * Reads the number, its only cell, and keeps others from raising it until the transaction ends.
   */
  holding(scope: string): Statement;
  /**
   * As `holding`, for a statement that travels together with the commit: it fails with kind `badValue` unless the number is `value`.
   * Undefined on databases where no select can fail.
   */
  demanding(scope: string, value: number): Statement | undefined;
  /** Raises the number inside the transaction that changes what it counts; its row makes such transactions take turns. */
  bump(unit: Unit, scope: string): Promise<number>;
  readonly onDidChange: Event<GenerationChange>;
  /** The numbers as this process knows them, by scope. */
  known(): ReadonlyMap<string, number>;
  /** Makes this process read its cached values of these scopes again, as if their numbers had grown. */
  renew(scopes: readonly string[]): void;
  /** Reads all numbers once; the first call sets the ground. */
  poll(): Promise<void>;
  /**
   * Makes the rows of these scopes where they are missing, so that the first ones to raise a number find a row to wait for. On MySQL,
   * transactions that look for a missing row and then insert it lock each other out.
   */
  ensure(scopes: readonly string[]): Promise<void>;
  dispose(): void;
}

export interface GenerationOptions {
  /** Milliseconds between polls; 0 polls only when asked. Default 500. */
  readonly every?: number;
  /** Tells other servers of a raised number; without it they find it when they poll. */
  readonly bus?: Bus;
  readonly onError?: (error: unknown) => void;
}

export function createGenerations(database: Database, options: GenerationOptions = {}): Generations {
  const known = new Map<string, number>();
  const changed = new Emitter<GenerationChange>();
  const every = options.every ?? 500;
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;

  function numberOf(scope: string) {
    return database.builder('trellis_generation').where({ scope }).select('value');
  }

  function learn(scope: string, value: number): void {
    if ((known.get(scope) ?? 0) >= value) return;
    known.set(scope, value);
    changed.fire({ scope, value });
  }

  // Put together once: it runs in every write. SQLite has one writer, and knex leaves the lock out there.
  const { sql: holdingSql } = compileQuery(numberOf('').forShare());

  const demand = database.dialect.statements.demand?.(sql`value = ${bound(0)}`);
  const demandingSql =
    demand &&
    compileQuery(
      database
        .builder('trellis_generation')
        .select(toRaw(database.builder, demand))
        .where({ scope: '' })
        .forShare(),
    ).sql;

  async function read(unit: Unit, scope: string): Promise<number> {
    const row = await unit.first<{ value: number | string }>(numberOf(scope));
    return Number(row?.value ?? 0);
  }

  /** Numbers only grow and are never taken back, so the sum of all of them tells whether one has grown. */
  const sumSql = compileQuery(database.builder('trellis_generation').sum('value'));
  let summed = '';

  /** Reads all numbers where one of them has grown: this is asked twice a second. */
  async function follow(): Promise<void> {
    const sum = String(await database.get(sumSql));
    if (sum === summed) return;
    await poll();
    summed = sum;
  }

  async function poll(): Promise<void> {
    const rows = await database.read((unit) =>
      unit.all<{ scope: string; value: number | string }>(
        unit.knex('trellis_generation').select('scope', 'value'),
      ),
    );
    for (const row of rows) learn(row.scope, Number(row.value));
  }

  function schedule(): void {
    if (isDisposed || every === 0) return;
    timer = setTimeout(() => {
      follow()
        .catch((error: unknown) => options.onError?.(error))
        .finally(schedule);
    }, every);
    timer.unref();
  }
  async function ensure(scopes: readonly string[]): Promise<void> {
    const rows = await database.read((unit) =>
      unit.all<{ scope: string }>(unit.knex('trellis_generation').whereIn('scope', scopes).select('scope')),
    );
    const present = new Set(rows.map((row) => row.scope));
    for (const scope of scopes.filter((one) => !present.has(one))) {
      const row = { scope, value: 0 };
      await database.write(
        (unit) => unit.run(unit.knex('trellis_generation').insert(row).onConflict('scope').ignore()),
        { retry: true },
      );
    }
  }

  schedule();
  const hearing = options.bus?.subscribe('generation.raised', {
    message: ({ scope, value }) => learn(scope, value),
    gap: () => void poll().catch((error: unknown) => options.onError?.(error)),
  });

  return {
    current: (scope) => known.get(scope) ?? 0,
    read,
    holding: (scope) => ({ ...foretoldRead({ sql: holdingSql, bindings: [scope] }), isSettled: true }),
    demanding: (scope, value) =>
      demandingSql === undefined
        ? undefined
        : { sql: demandingSql, bindings: [value, scope], isSettled: true },
    async bump(unit, scope) {
      const table = () => unit.knex('trellis_generation');
      const { changes } = await unit.run(table().where({ scope }).increment('value', 1));
      if (changes === 0) {
        await unit.run(table().insert({ scope, value: 0 }).onConflict('scope').ignore());
        await unit.run(table().where({ scope }).increment('value', 1));
      }
      const value = await read(unit, scope);
      unit.afterCommit(() => {
        learn(scope, value);
        options.bus?.publish('generation.raised', { scope, value });
      });
      return value;
    },
    known: () => known,
    renew(scopes) {
      for (const scope of scopes) changed.fire({ scope, value: known.get(scope) ?? 0 });
    },
    onDidChange: changed.event,
    poll,
    ensure,
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
      void hearing?.dispose();
      changed.dispose();
    },
  };
}
