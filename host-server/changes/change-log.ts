import { auditSentence, type AuditEntry, type Change, type Principal } from '@trellis/sdk/server';
import type { RowSet, Statement, Unit, WriteResult } from '../sql/unit.ts';
import { Emitter, type Event } from '@trellis/core';
import { newId } from '../runtime/ids.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { insertReturning } from '../query/insert.ts';
import type { SchemaChange } from '../schema/schema-changes.ts';
import type { CallMarks } from './call-marks.ts';
import { batchAlike, batchRows, countingRange } from './batch-rows.ts';
import {
  changesOf,
  entryCells,
  entryColumns,
  type EntryDetails,
  type KeyRange,
  type NewEntry,
} from './log-entry.ts';
import { rowsLinkedBy, type LinkedRowKeys } from './linked-row-keys.ts';
import { LogRowKeys } from './log-rows.ts';
import type { TableChanges } from './row-change.ts';
import { storedRowKey } from './stored-row-key.ts';

/** The author of a change, with what the log keeps of them. An `AccessScope` is one. */
export interface ChangeAuthor {
  readonly principal: Pick<Principal, 'id' | 'email'>;
  readonly requestId: string;
}

/** What the changes of one call have in common. */
export interface Operation {
  readonly id: string;
  readonly author: ChangeAuthor;
  /** `api`, `undo`, `import`, `job`. */
  readonly origin: string;
  /** When it began, in UTC milliseconds. */
  readonly at: number;
  readonly marks?: Change['marks'];
  /** The operation that it takes back. */
  readonly undoes?: string;
}

/** What a statement of a batch answers. */
type Answer = RowSet & WriteResult;

/** Changes about to be recorded in the transaction that makes them. */
export interface Recording {
  /** To be run by the writing unit in this order, as its last statements. */
  readonly statements: readonly Statement[];
  /** What was recorded, given the answers of the statements. */
  recorded(answers: readonly Answer[]): Recorded;
}

/** Changes that have their place in the log. */
export interface Recorded {
  /** The number of the last entry; undefined when nothing was changed. */
  readonly seq: number | undefined;
  /** Made only when somebody asks: a bulk write has thousands of changes. */
  changes(): readonly Change[];
}

/** An entry with its text, ready to be stored. */
interface Prepared {
  readonly entry: NewEntry;
  readonly range?: KeyRange | undefined;
  readonly rowsText?: string;
  /** The rows that it links, or takes a link from. */
  readonly linked?: LinkedRowKeys;
}

const noRows = { part: 0, total: 0, columns: [], rows: [] } as const;
const nobody: ChangeAuthor = { principal: { id: '', email: '' }, requestId: '' };

/**
 * The one record of what was changed: numbered entries in the order in which they were written. Audit, history, undo, outbox and
 * live events read it.
 *
 * A number is given before the commit, so that on a server a smaller number may become visible after a larger one. Only rows of
 * different tables are concerned: who changes a row holds it locked until its entry is committed. Readers that keep a place in
 * the log use `SettledLog`, which never passes over a number that may still appear.
 */
export class ChangeLog {
  readonly #metadata: Metadata;
  readonly #marks: Pick<CallMarks, 'of'> | undefined;
  readonly #committed = new Emitter<void>();
  readonly #rowKeys: LogRowKeys;
  readonly #linkKeys: LogRowKeys;
  /** Put together once: it runs in every write. */
  readonly #insertionText: string;
  /** Text that inserts an entry together with the key of its only row; undefined where a database cannot do both in one statement. */
  readonly #insertionOfRowText: string | undefined;

  /** @param marks gives the facts that plugins keep with the changes of a call */
  constructor(metadata: Metadata, marks?: Pick<CallMarks, 'of'>) {
    const { dialect } = metadata.database;
    this.#metadata = metadata;
    this.#marks = marks;
    this.#rowKeys = new LogRowKeys(dialect);
    this.#linkKeys = new LogRowKeys(dialect, 'trellis_log_link');
    const cells = entryColumns.map(() => null);
    const insertion = { columns: entryColumns, cells, returning: 'seq' };
    const inserting = insertReturning(dialect, 'trellis_log_entry', insertion);
    this.#insertionText = inserting.sql;
    this.#insertionOfRowText = this.#rowKeys.textWith(inserting);
  }

  /** Fires after each commit of this process that wrote to the log, and when another process is known to have written. */
  readonly onDidCommit: Event<void> = this.#committed.event;

  begin(author: ChangeAuthor, origin = 'api', undoes?: string): Operation {
    const marks = this.#marks?.of(author.requestId);
    return {
      id: newId('operation'),
      author,
      origin,
      at: Date.now(),
      ...(marks && { marks }),
      ...(undoes !== undefined && { undoes }),
    };
  }

  /** What records the changes of one call, to one table or to several. */
  record(operation: Operation, tables: readonly TableChanges[]): Recording {
    const prepared = this.#prepare(operation, tables);
    const statements: Statement[] = [];
    const inserts: number[] = [];
    for (const each of prepared) {
      inserts.push(statements.length);
      statements.push(...(this.#insertionOfRow(each) ?? [this.#insertion(each), ...this.#keyRows(each)]));
      statements.push(...this.#linkRows(each));
    }
    return {
      statements,
      recorded: (answers) => {
        const numbers = inserts.map((at) => Number(answers[at]?.lastId));
        return {
          seq: numbers.at(-1),
          changes: () =>
            prepared.flatMap(({ entry }, index) => changesOf({ ...entry, seq: numbers[index] ?? 0 })),
        };
      },
    };
  }

  /** The entries of a call before they are stored. */
  entriesOf(operation: Operation, tables: readonly TableChanges[]): readonly NewEntry[] {
    return this.#prepare(operation, tables).map(({ entry }) => entry);
  }

  /** Tells the log's readers of this process that something was committed. */
  committed(): void {
    this.#committed.fire();
  }

  /** Writes the entry of a change to tables, columns or views, in the transaction that makes the change. */
  async recordSchemaChange(unit: Unit, change: SchemaChange): Promise<void> {
    const operation = this.begin(change.scope);
    const ops = { CREATED: 'insert', DELETED: 'delete' } as const;
    const entry: NewEntry = {
      ...headOf(operation, change),
      kind: 'schema',
      op: ops[change.auditSubType as keyof typeof ops] ?? 'update',
      ...noRows,
      details: { type: change.auditType, subType: change.auditSubType, ...told(change) },
    };
    await unit.run(this.#insertion({ entry }));
    unit.afterCommit(() => this.committed());
  }

  /** Writes the entry of something that is neither a row nor a change of the schema: a sign-in, a setting. */
  async recordEvent(event: AuditEntry): Promise<void> {
    await this.#metadata.database.write((unit) => this.recordEventIn(unit, event));
  }

  /** Records an event in the transaction of the change that it tells of. */
  async recordEventIn(unit: Unit, { principal, ...event }: AuditEntry): Promise<void> {
    const operation = this.begin({ ...nobody, principal });
    const { type, subType, ip, rowKey } = event;
    const entry: NewEntry = {
      ...headOf(operation, event),
      kind: 'event',
      op: 'update',
      ...noRows,
      details: { type, subType, ...told(event), ip, rowKey },
    };
    await unit.run(this.#insertion({ entry }));
  }

  #prepare(operation: Operation, tables: readonly TableChanges[]): readonly Prepared[] {
    return tables.flatMap(({ table, changes, alike, set }): readonly Prepared[] => {
      const { id: tableId, projectId, baseId } = table;
      const head = headOf(operation, { tableId, projectId, baseId });
      const { marks, undoes } = operation;
      const kept = { ...(marks && { marks }), ...(undoes !== undefined && { undoes }) };
      if (set !== undefined) {
        const { op, predicate, patch, count, ends } = set;
        const details = { predicate, patch, ...(marks && { marks }) };
        const entry = { ...head, ...ends, kind: 'rowSet', op, part: 0, total: count, details } as const;
        return [{ entry, linked: rowsLinkedBy(table.links, ends) }];
      }
      const total = alike?.rows.length ?? changes.length;
      const batches = alike === undefined ? batchRows(changes) : batchAlike(alike);
      return batches.map(({ op, columns, rows, rowsText }, part) => ({
        entry: {
          ...head,
          kind: 'row',
          op,
          part,
          total,
          columns,
          rows,
          ...(Object.keys(kept).length > 0 && { details: kept }),
        },
        range: countingRange({ op, rows }),
        rowsText,
        linked: rowsLinkedBy(table.links, { columns, rows }),
      }));
    });
  }

  #insertion({ entry, range, rowsText }: Prepared): Statement {
    return { sql: this.#insertionText, bindings: entryCells(entry, range, rowsText) };
  }

  #insertionOfRow({ entry, range, rowsText }: Prepared): readonly Statement[] | undefined {
    const [row, ...others] = entry.rows;
    const sql = this.#insertionOfRowText;
    if (sql === undefined || row === undefined || others.length > 0 || range !== undefined) return undefined;
    const bindings = [...entryCells(entry, range, rowsText), entry.tableId, storedRowKey(row[0])];
    return [{ sql, bindings }];
  }

  #keyRows({ entry, range }: Prepared): readonly Statement[] {
    if (entry.kind !== 'row' || range !== undefined) return [];
    return this.#rowKeys.of(entry, { tableId: entry.tableId, keys: entry.rows.map(([key]) => key) });
  }

  #linkRows({ entry, linked = new Map() }: Prepared): readonly Statement[] {
    return [...linked].flatMap(([tableId, keys]) => this.#linkKeys.of(entry, { tableId, keys }));
  }
}

/** The fields of an entry that name its call, its project and its table. */
function headOf(
  { id, author, origin, at }: Operation,
  place: { readonly projectId?: string; readonly baseId?: string; readonly tableId?: string },
) {
  return {
    operationId: id,
    actorId: author.principal.id,
    actorEmail: author.principal.email,
    projectId: place.projectId ?? '',
    baseId: place.baseId ?? '',
    tableId: place.tableId ?? '',
    origin,
    requestId: author.requestId,
    at,
  };
}

/** A sentence as an entry keeps it: in English, and where it can be said in other languages, as it was told; and what changed. */
function told({
  description,
  changes = [],
}: Pick<AuditEntry, 'description' | 'changes'>): Pick<EntryDetails, 'description' | 'said' | 'changes'> {
  return {
    description: auditSentence(description),
    ...(typeof description !== 'string' && { said: description }),
    ...(changes.length > 0 && { changes }),
  };
}
