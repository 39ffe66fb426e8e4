import type { HookRegistry } from '@trellis/core';
import type { ServerHooks } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import { writeSetting } from '../../metadata/settings.ts';
import { inParts } from '../../sql/in-parts.ts';
import { beginPattern } from '../../sql/long-texts.ts';
import type { Unit } from '../../sql/unit.ts';
import { entriesOfRows, keysDeletedBy, tablesDeletedFrom, type DeletedKeys } from '../keys-in-log.ts';
import type { LogEntry, LoggedRow } from '../log-entry.ts';
import { readTogether } from '../read-entries.ts';
import { storedRowKey } from '../stored-row-key.ts';
import { forgetLinks } from './forget-links.ts';
import { namesInLinks } from './names-in-links.ts';
import { rewriteEntries } from './rewrite-entries.ts';
import { tellingOfPurged } from './tell-of-purged.ts';

/** A deletion whose rows are deleted for good. */
interface Purge {
  readonly projectId: string;
  readonly operationId: string;
}

/** A deletion that is marked and could not be emptied. */
export interface UnfinishedPurge extends Purge {
  readonly error: unknown;
  /** Whether a row may be among those that this purge deletes for good. True for each row of the table where the purge's own rows cannot be read. */
  readonly mayHold: (row: { readonly tableId: string; readonly rowKey: RowKey | undefined }) => boolean;
}

interface PurgesDependencies {
  readonly metadata: Metadata;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'tell'>;
}

const markOf = 'log.purge.';
/** Entries that are emptied in one transaction. */
const entriesAtOnce = 50;
/** Keys that are looked for at a time. */
const keysAtOnce = 500;

/**
 * Takes what deleted rows held out of the log: a deletion is marked in one transaction, from which on nobody takes it back, and its rows
 * are emptied in many. Whoever is cut off between leaves the mark, by which anyone goes on.
 *
 * Marks of a project are counted. Undo reads the count before it reads what rows held, and holds it while it writes them.
 */
export class Purges {
  readonly #deps: PurgesDependencies;

  constructor(deps: PurgesDependencies) {
    this.#deps = deps;
  }

  /** How many deletions of a project were marked until now. */
  async count(projectId: string): Promise<number> {
    const { database, generations } = this.#deps.metadata;
    const scope = countOf(projectId);
    await generations.ensure([scope]);
    return database.read((unit) => generations.read(unit, scope));
  }

  /** As `count`, and keeps others from marking rows until the transaction ends. */
  async hold(unit: Unit, projectId: string): Promise<number> {
    const { rows } = await unit.rows(this.#deps.metadata.generations.holding(countOf(projectId)));
    return Number(rows[0]?.[0] ?? 0);
  }

  /**
   * Marks a deletion, together with what `work` writes. Those who hold the count have ended when it is called.
   *
   * @param count what was counted before it was read what the deletion deleted
   * @returns false, and nothing is marked, where another deletion was marked since
   */
  async mark(
    { projectId, operationId }: Purge,
    { count, work }: { readonly count: number; readonly work: (unit: Unit) => Promise<void> },
  ): Promise<boolean> {
    const { database, generations } = this.#deps.metadata;
    try {
      await database.write(
        async (unit) => {
          // Thrown, so that the count stays as it is.
          if ((await generations.bump(unit, countOf(projectId))) !== count + 1) throw new Moved();
          await work(unit);
          await writeSetting(unit, markOf + operationId, projectId);
        },
        { retry: true },
      );
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
      return false;
    }
    return true;
  }

  /** Deletions that are marked and not yet emptied, of a project or of all. */
  async marked(projectId?: string): Promise<readonly Purge[]> {
    const rows = await this.#deps.metadata.database.read((unit) =>
      unit.all<{ readonly key: string; readonly value: string }>(
        unit
          .knex('trellis_setting')
          .where('key', 'like', beginPattern(markOf))
          .modify((query) => {
            if (projectId !== undefined) void query.where({ value: projectId });
          })
          .select('key', 'value'),
      ),
    );
    return rows.map(({ key, value }) => ({ projectId: value, operationId: key.slice(markOf.length) }));
  }

  /** Empties marked deletions, of one project or of all. Gives those that could not be emptied; they do not hold up the others. */
  async finish(projectId?: string, signal?: AbortSignal): Promise<readonly UnfinishedPurge[]> {
    const unfinished: UnfinishedPurge[] = [];
    for (const purge of await this.marked(projectId)) {
      try {
        await this.finishOne(purge, signal);
      } catch (error) {
        signal?.throwIfAborted();
        unfinished.push({ ...purge, error, mayHold: await this.#rowsOf(purge) });
      }
    }
    return unfinished;
  }

  /** Empties all that is marked. @throws Error that names the deletions that could not be emptied, once all were tried */
  async finishAll(signal: AbortSignal): Promise<void> {
    const unfinished = await this.finish(undefined, signal);
    if (unfinished.length === 0) return;
    const operations = unfinished.map(({ operationId }) => operationId).join(', ');
    throw new AggregateError(
      unfinished.map(({ error }) => error),
      `The log still holds rows that were deleted for good by ${operations}`,
    );
  }

  async #rowsOf(purge: Purge): Promise<UnfinishedPurge['mayHold']> {
    const { metadata } = this.#deps;
    try {
      const deleted = await keysDeletedBy(metadata, purge);
      const keys = new Map(deleted.map((of) => [of.tableId, new Set(of.keys)]));
      return ({ tableId, rowKey }) => rowKey !== undefined && keys.get(tableId)?.has(rowKey) === true;
    } catch {
      const tables = await tablesDeletedFrom(metadata, purge);
      return ({ tableId }) => tables.has(tableId);
    }
  }

  /** Empties a deletion that is marked. */
  async finishOne(purge: Purge, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { database } = this.#deps.metadata;
    const tell = tellingOfPurged(this.#deps.metadata, this.#deps.hooks);
    for (const deleted of await keysDeletedBy(this.#deps.metadata, purge)) {
      await this.#empty(deleted, signal);
      await tell(deleted);
    }
    await database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_setting')
          .where({ key: markOf + purge.operationId })
          .delete(),
      ),
    );
  }

  /** Empties all that happened to rows until they were deleted, from the deletion back to where each was added. */
  async #empty({ tableId, keys, last: until }: DeletedKeys, signal: AbortSignal | undefined): Promise<void> {
    const { database } = this.#deps.metadata;
    const found = await database.read((unit) =>
      entriesOfRows(unit, database.dialect, { tableId, keys, until }),
    );
    const lives = new RowLives(keys);
    const newestFirst = found.toReversed();
    for (let at = 0; at < newestFirst.length && !lives.areOver;) {
      signal?.throwIfAborted();
      const places = readTogether(newestFirst.slice(at, at + entriesAtOnce), entriesAtOnce);
      at += places.length;
      await rewriteEntries(database, places, () => {
        lives.forget();
        return (entry) => withoutLives(entry, lives);
      });
      lives.keep();
    }
    const named = await database.read((unit) => namesInLinks(unit, tableId));
    const others = named.flatMap(({ holderIds = [] }) => holderIds);
    for (const { holderIds, nameOf } of named)
      for (const part of inParts(keys, keysAtOnce))
        await forgetLinks(
          database,
          (links, unit) => {
            void links
              .where({ table_id: tableId })
              .whereIn(
                'row_key',
                part.map((key) => storedRowKey(nameOf(key))),
              )
              .where('seq', '<=', until);
            if (others.length === 0) return links;
            const entries = unit.knex('trellis_log_entry').select('seq');
            const ofOthers = entries.whereIn('table_id', holderIds ?? others).where('seq', '<=', until);
            return holderIds === undefined
              ? links.whereNotIn('seq', ofOthers)
              : links.whereIn('seq', ofOthers);
          },
          signal,
        );
  }
}

/** How far a row has been followed: it goes on by the operation that is awaited, or by any. */
interface Life {
  readonly awaited?: string;
  readonly isOver?: true;
}

const anyLife: Life = {};
const over: Life = { isOver: true };

/**
 * Follows rows from their deletion back to where they were added, by what entries tell of them, the newest first. There may be very many
 * rows, so what a transaction finds out lies beside what is known of them until it is kept.
 */
class RowLives {
  /**
   * The rows whose beginning is not yet passed, each with the operation by which it goes on: a row that undo put back is the one that
   * this operation deleted, whatever was there under its key in between.
   */
  readonly #open: Map<RowKey, Life>;
  readonly #found = new Map<RowKey, Life>();

  constructor(keys: readonly RowKey[]) {
    this.#open = new Map(keys.map((key) => [key, anyLife]));
  }

  get areOver(): boolean {
    return this.#open.size === 0;
  }

  /** Drops findings that were not kept yet, because the transaction runs again. */
  forget(): void {
    this.#found.clear();
  }

  keep(): void {
    for (const [key, life] of this.#found)
      if (life.isOver) this.#open.delete(key);
      else this.#open.set(key, life);
    this.#found.clear();
  }

  /** Whether an entry is about the row that is followed under the key, and not about another row that had the same key. */
  follows({ op, origin, operationId, details }: LogEntry, key: RowKey): boolean {
    const { awaited, isOver } = this.#found.get(key) ?? this.#open.get(key) ?? over;
    if (isOver) return false;
    if (awaited !== undefined && (awaited !== operationId || op !== 'delete')) return false;
    if (op === 'insert' && origin !== 'undo') this.#found.set(key, over);
    else this.#found.set(key, op === 'insert' ? { awaited: details?.undoes } : anyLife);
    return true;
  }
}

/** An entry without the values of the followed rows; undefined where it holds none of them. */
function withoutLives(entry: LogEntry, lives: RowLives): Readonly<Record<string, string>> | undefined {
  if (entry.kind !== 'row') return undefined;
  let isChanged = false;
  const emptied = entry.rows.map((row): LoggedRow => {
    const [key, before, after, , isPurged] = row;
    if (!lives.follows(entry, key) || isPurged === true) return row;
    isChanged = true;
    return [key, empty(before), empty(after), [], true];
  });
  return isChanged ? { rows: JSON.stringify(emptied) } : undefined;
}

/** Another deletion was marked. */
class Moved extends Error {}

/** The number that grows with each mark. */
function countOf(projectId: string): string {
  return `purges:${projectId}`;
}

function empty(cells: readonly CellValue[] | null): readonly CellValue[] | null {
  return cells && [];
}
