import type { Registry, RegistryView } from '@trellis/core';
import {
  mayCompute,
  type AccessService,
  type ColumnSchema,
  type FunctionDefinition,
  type ServerColumnType,
  type TableHandle,
  type TableSchema,
} from '@trellis/sdk/server';
import type { Database } from '../databases/database.ts';
import type { CompileContext } from '../query/compile-context.ts';
import type { PluginErrors } from '../runtime/tokens.ts';
import type { BaseDatabases } from '../schema/bases/base-databases.ts';
import { OpenedTable, openedTable } from '../schema/opened-table.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import { rowErrors } from './row-errors.ts';
import { planTable, withColumns, type TablePlan } from './table-plan.ts';

/** A table as reads and writes of its rows use it: the handle with its database and its prepared columns. */
export interface OpenTable {
  readonly handle: OpenedTable;
  readonly plan: TablePlan;
  readonly database: Database;
  /** Whether it lies in the database of the metadata, so that rows and change log share a transaction. */
  readonly own: boolean;
  readonly context: CompileContext;
}

export interface OpenTablesDependencies {
  readonly databases: BaseDatabases;
  readonly columnTypes: Registry<ServerColumnType>;
  readonly errors: PluginErrors;
  readonly functions: RegistryView<FunctionDefinition>;
  readonly access: Pick<AccessService, 'systemScope'>;
}

/** @throws TrellisError 401 or 403 without the permission, 400 for a table whose rows cannot be written. */
export function requireWrite({ scope, table }: TableHandle, permission: string): void {
  scope.require(permission);
  if (table.readOnlyReason !== undefined)
    throw rowErrors.create('TABLE_READ_ONLY', { reason: table.readOnlyReason });
}

/** Opens tables, with a plan for each that is made once per schema. */
export class OpenTables {
  readonly #deps: OpenTablesDependencies;
  #plans = new WeakMap<TableSchema, TablePlan>();

  constructor(deps: OpenTablesDependencies) {
    this.#deps = deps;
    // Plans hold what types do with values; a type or a function that comes or goes makes them anew.
    for (const registry of [deps.columnTypes, deps.functions]) {
      registry.onDidChange(() => {
        this.#plans = new WeakMap();
      });
    }
  }

  /** At once where the table lies in the database of the metadata. */
  open(given: TableHandle): OpenTable | Promise<OpenTable> {
    const handle = openedTable(given);
    const { snapshot, table } = handle;
    const base = snapshot.bases.get(table.baseId);
    if (base === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
    const database = this.#deps.databases.of(base);
    return database instanceof Promise
      ? database.then((opened) => this.#openIn(opened, handle, base.own))
      : this.#openIn(database, handle, base.own);
  }

  /** A table of the same schema that the database changes with the one of a handle, whoever may see it. Answers show nothing of it. */
  openForAll({ snapshot }: TableHandle, table: TableSchema): OpenTable | Promise<OpenTable> {
    const scope = this.#deps.access.systemScope(table.projectId, 'rows that go along');
    return this.open(new OpenedTable({ scope, snapshot, table, view: undefined }));
  }

  #openIn(database: Database, handle: OpenedTable, own: boolean): OpenTable {
    const { snapshot, table } = handle;
    const { columnTypes, functions } = this.#deps;
    const reach = { snapshot, columnTypes, functions };
    const unlimited: CompileContext = { table, dialect: database.dialect, reach };
    const ruleOf = (tableId: string) => handle.seeing.rowPredicate(tableId);
    const isHidden = (column: Pick<ColumnSchema, 'tableId' | 'id'>) => !mayCompute(handle.scope, column);
    const context = { ...unlimited, reach: { ...reach, ruleOf, isHidden } };
    return {
      handle,
      // Kept for all callers.
      plan: this.#plan(unlimited),
      database,
      own,
      context,
    };
  }

  /** The table with some columns that were deleted and are not purged yet. */
  including(open: OpenTable, columns: readonly ColumnSchema[]): OpenTable {
    const { columnTypes: types, errors } = this.#deps;
    const { dialect } = open.context;
    return { ...open, plan: withColumns(open.plan, columns, { types, errors, dialect }) };
  }

  #plan(context: CompileContext): TablePlan {
    let plan = this.#plans.get(context.table);
    if (plan === undefined) {
      const { columnTypes: types, errors } = this.#deps;
      plan = planTable(context, { types, errors });
      this.#plans.set(context.table, plan);
    }
    return plan;
  }
}
