import {
  TableHandle,
  type AccessScope,
  type ProjectSnapshot,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import { linkingRule, type RowsLeft } from './linking-rule.ts';
import { schemaErrors } from './schema-errors.ts';

/** The parts of a handle. */
type Parts = Pick<TableHandle, 'scope' | 'snapshot' | 'table' | 'view'>;

/**
 * The only implementation of `TableHandle`. Its scope has the caller's rights in the table. A caller whose rights are limited to
 * some views can open a table only with one of these.
 */
export class OpenedTable extends TableHandle {
  readonly scope: AccessScope;
  readonly snapshot: ProjectSnapshot;
  readonly table: TableSchema;
  readonly view: ViewSchema | undefined;
  protected readonly isOpened = true;
  /** The caller's rights to see rows, also those of other tables. `scope` may be narrower, with the rows that the caller may change. */
  readonly seeing: AccessScope;
  readonly #rows: RowsLeft;

  /**
   * @param of.view a view that the caller may read
   * @param rows whether the table has the rows that the caller sees, or only those that they may change
   * @throws TrellisError 404 `TABLE_NOT_FOUND` for a table out of reach, and without a view for a caller who is limited to some
   * views
   */
  constructor(of: Parts, rows: RowsLeft = 'seen') {
    super();
    const isInReach =
      of.scope.reaches(of.table.id) && (of.view !== undefined || of.scope.can(undefined, 'read'));
    if (!isInReach) throw schemaErrors.create('TABLE_NOT_FOUND');
    this.seeing = of.scope;
    this.#rows = rows;
    const scope = of.scope.inTable(of.table.id);
    const rule = linkingRule(of, rows);
    const left = rows === 'changed' ? scope.changing(of.table.id) : scope;
    this.scope = rule === undefined ? left : left.withRows(of.table.id, rule);
    this.snapshot = of.snapshot;
    this.table = of.table;
    this.view = of.view;
  }

  whole(): OpenedTable {
    if (this.view === undefined) return this;
    const { snapshot, table } = this;
    return new OpenedTable({ scope: this.seeing, snapshot, table, view: undefined }, this.#rows);
  }

  /** The table for a write: rows that the caller may not change do not exist in it. */
  changing(): OpenedTable {
    const { snapshot, table, view } = this;
    const of: Parts = { scope: this.seeing, snapshot, table, view };
    const isLimited = of.scope.changing(table.id) !== of.scope || linkingRule(of, 'changed') !== undefined;
    return this.#rows === 'changed' || !isLimited ? this : new OpenedTable(of, 'changed');
  }

  /** Another table of the same schema, with the rows that the caller sees and without a view. */
  linked(table: TableSchema): OpenedTable {
    return new OpenedTable({ scope: this.seeing, snapshot: this.snapshot, table, view: undefined });
  }
}

/** @throws TypeError for an object that copies the parts of a handle, and so was never checked */
export function openedTable(handle: TableHandle): OpenedTable {
  if (handle instanceof OpenedTable) return handle;
  throw new TypeError(
    'A table handle comes from SchemaStore.open or another handle; a copy of one is refused.',
  );
}
