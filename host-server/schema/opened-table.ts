import {
  TableHandle,
  type AccessScope,
  type ProjectSnapshot,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import { schemaErrors } from './schema-errors.ts';

/** The only implementation of `TableHandle`, whose scope has the rights in its table. A caller whose rights are limited to some views cannot open a table without one of them. */
export class OpenedTable extends TableHandle {
  readonly scope: AccessScope;
  readonly snapshot: ProjectSnapshot;
  readonly table: TableSchema;
  readonly view: ViewSchema | undefined;
  protected readonly isOpened = true;

  /**
   * @param of.view one that the caller may read
   * @throws TrellisError 404 `TABLE_NOT_FOUND` without a view for a caller who is limited to some, and for a table out of reach.
   */
  constructor(of: Pick<TableHandle, 'scope' | 'snapshot' | 'table' | 'view'>) {
    super();
    const isInReach =
      of.scope.reaches(of.table.id) && (of.view !== undefined || of.scope.can(undefined, 'read'));
    if (!isInReach) throw schemaErrors.create('TABLE_NOT_FOUND');
    this.scope = of.scope.inTable(of.table.id);
    this.snapshot = of.snapshot;
    this.table = of.table;
    this.view = of.view;
  }

  whole(): OpenedTable {
    return this.view === undefined ? this : this.linked(this.table);
  }

  /** The same table for a caller who is about to change its rows: those that may not be changed are not there. */
  changing(): OpenedTable {
    const { snapshot, table, view } = this;
    const scope = this.scope.changing(table.id);
    return scope === this.scope ? this : new OpenedTable({ scope, snapshot, table, view });
  }

  /** A table of the same schema, for the same caller, without a view. */
  linked(table: TableSchema): OpenedTable {
    const { scope, snapshot } = this;
    return new OpenedTable({ scope, snapshot, table, view: undefined });
  }
}

/** @throws TypeError for an object that was put together from the parts of a handle: nothing has checked it. */
export function openedTable(handle: TableHandle): OpenedTable {
  if (handle instanceof OpenedTable) return handle;
  throw new TypeError(
    'A table handle comes from SchemaStore.open or another handle; a copy of one is refused.',
  );
}
