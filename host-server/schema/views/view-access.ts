import type { Registry, RegistryView } from '@trellis/core';
import type {
  AccessScope,
  FunctionDefinition,
  SchemaStore,
  ServerColumnType,
  TableSchema,
  ViewSchema,
  ViewType,
  AuditText,
} from '@trellis/sdk/server';
import type { FilterOperator, ViewAddition } from '@trellis/sdk/shared';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { BaseDatabases } from '../bases/base-databases.ts';
import { createChangeMetadata } from '../change-metadata.ts';
import type { AnnounceSchemaChange, RecordSchemaChange, SchemaChange } from '../schema-changes.ts';
import { schemaErrors } from '../schema-errors.ts';
import { viewErrors } from './view-errors.ts';

export interface ViewStoreDependencies {
  readonly metadata: Metadata;
  readonly schema: SchemaStore;
  readonly viewTypes: Registry<ViewType>;
  readonly viewAdditions: RegistryView<ViewAddition>;
  readonly errors: PluginErrors;
  readonly filterOperators: RegistryView<FilterOperator>;
  readonly columnTypes: RegistryView<ServerColumnType>;
  readonly functions: RegistryView<FunctionDefinition>;
  readonly databases: Pick<BaseDatabases, 'of'>;
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
}

/** A view with its table. */
export interface Found {
  readonly table: TableSchema;
  readonly view: ViewSchema;
  /** The generation of the schema in which both were found. */
  readonly generation: number;
}

export interface Stamps {
  readonly created_at: number;
  readonly updated_at: number;
}

/** Finding and changing views, for all parts of the store. */
export interface ViewAccess {
  readonly deps: ViewStoreDependencies;
  find(scope: AccessScope, pick: (view: ViewSchema) => boolean): Promise<Found | undefined>;
  findView(scope: AccessScope, viewId: string): Promise<Found>;
  reread(scope: AccessScope, viewId: string): Promise<ViewSchema>;
  /** One write to a view: changes its rows, bumps the generation, and announces the change. 404 when the view was deleted meanwhile. */
  change<T>(scope: AccessScope, found: Found, work: ViewWork<T>): Promise<T>;
  /** As `change`, for a write that depends on the schema: `decide` runs again when the schema changed before the transaction began. */
  decided(
    scope: AccessScope,
    viewId: string,
    decide: (found: Found) => Decision | Promise<Decision>,
  ): Promise<void>;
  /** One write to what a table stores about all of its views, such as their groups. */
  changeTable<T>(scope: AccessScope, table: TableSchema, work: (unit: Unit) => Promise<T>): Promise<T>;
  /** As `decided`, for a view that this write creates. */
  make(scope: AccessScope, viewId: string, decide: () => Promise<Decision & OfTable>): Promise<void>;
}

type ViewWork<T> = (unit: Unit, stamps: Stamps) => Promise<T>;

interface Audited extends Pick<SchemaChange, 'changes'> {
  readonly subType: string;
  readonly description: AuditText;
}

interface OfTable {
  readonly table: TableSchema;
}

/** A write, and the schema generation for which it was decided. */
interface Decision {
  readonly work: ViewWork<void>;
  /** The generation of the schema that the write depends on; undefined if it depends on none. */
  readonly generation?: number;
  readonly audited?: Audited;
}

/** The schema changed after a write was decided. */
class SchemaMoved extends Error {}

/** How often a write is decided again when others change the schema of its project. */
const mostDecisions = 20;

export function createViewAccess(deps: ViewStoreDependencies): ViewAccess {
  const { metadata, schema, record, announce } = deps;
  const changeMetadata = createChangeMetadata(metadata, record);

  async function find(scope: AccessScope, pick: (view: ViewSchema) => boolean): Promise<Found | undefined> {
    const { tables, generation } = await schema.snapshot(scope);
    for (const table of tables.values()) {
      const view = table.views.find(pick);
      if (view !== undefined) return { table, view, generation };
    }
    return undefined;
  }

  async function findView(scope: AccessScope, viewId: string): Promise<Found> {
    const found = await find(scope, (view) => view.id === viewId);
    if (found === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
    return found;
  }

  async function write<T>(
    scope: AccessScope,
    table: TableSchema,
    viewId: string | undefined,
    { work, generation, audited }: Omit<Decision, 'work'> & { readonly work: ViewWork<T> },
  ): Promise<T> {
    const now = Date.now();
    const result = await changeMetadata(
      table.projectId,
      async (unit, raised) => {
        if (generation !== undefined && raised !== generation + 1) throw new SchemaMoved();
        return work(unit, { created_at: now, updated_at: now });
      },
      audited && {
        scope,
        auditType: 'VIEW',
        auditSubType: audited.subType,
        projectId: table.projectId,
        baseId: table.baseId,
        tableId: table.id,
        description: audited.description,
        changes: audited.changes,
      },
    );
    const { id: tableId, projectId } = table;
    announce({ projectId, tableId, ...(viewId !== undefined && { viewId }), requestId: scope.requestId });
    return result;
  }

  /** Work on a view that must still exist when its turn comes. */
  function onView<T>({ view }: Found, work: ViewWork<T>): ViewWork<T> {
    return async (unit, stamps) => {
      const { ViewModel } = await models();
      const isThere = await ViewModel.query(unit.knex).findById(view.id).select('id');
      if (isThere === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
      return work(unit, stamps);
    };
  }

  async function untilDecided(attempt: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof SchemaMoved)) throw error;
        if (tries === mostDecisions) throw schemaErrors.create('SCHEMA_CHANGED');
        await metadata.generations.poll();
      }
    }
  }

  async function reread(scope: AccessScope, viewId: string): Promise<ViewSchema> {
    return (await findView(scope, viewId)).view;
  }

  return {
    deps,
    find,
    findView,
    reread,
    change: (scope, found, work) => write(scope, found.table, found.view.id, { work: onView(found, work) }),
    changeTable: (scope, table, work) => write(scope, table, undefined, { work }),
    decided: (scope, viewId, decide) =>
      untilDecided(async () => {
        const found = await findView(scope, viewId);
        const decision = await decide(found);
        await write(scope, found.table, viewId, { ...decision, work: onView(found, decision.work) });
      }),
    make: (scope, viewId, decide) =>
      untilDecided(async () => {
        const { table, ...decision } = await decide();
        await write(scope, table, viewId, decision);
      }),
  };
}

/** Refuses the change when the view's mode locks its configuration. */
export function assertConfigurable(scope: AccessScope, view: ViewSchema): void {
  if (!scope.can(view, 'change')) throw viewErrors.create('VIEW_LOCKED');
}

/** Refuses a caller who has neither the permission for all views nor one of the permissions that replace it for some views. */
export function requireAny(scope: AccessScope, permission: string, inPlace: readonly string[]): void {
  if (!inPlace.some((other) => scope.may(other))) scope.require(permission);
}

/** Requires a permission, except for the caller's own personal views if they may edit these. */
export function requireUnlessOwn(scope: AccessScope, view: ViewSchema, permission: string): void {
  const isOwn = view.lockType === 'personal' && view.ownerId === scope.principal.id;
  if (!isOwn || !scope.may('personalViewEdit')) scope.require(permission);
}

export function assertColumn(table: TableSchema, columnId: string): void {
  if (!table.columnById.has(columnId)) throw viewErrors.create('VIEW_COLUMN_UNKNOWN');
}

/**
 * The ids of the table's deleted columns that may be restored. The snapshot lacks them and their places in views, so a caller
 * that replaces the parts of a view must leave theirs.
 */
export async function parkedColumns(unit: Unit, table: TableSchema): Promise<readonly string[]> {
  const { ColumnModel } = await models();
  const parked = await ColumnModel.query(unit.knex)
    .where({ table_id: table.id })
    .whereNotNull('parked_at')
    .select('id');
  return parked.map(({ id }) => id);
}

/** The order number after all of these. */
export function nextOrder(items: readonly { readonly order: number }[]): number {
  return Math.max(0, ...items.map((item) => item.order)) + 1;
}

/** The item that a write changed, read from the new snapshot. */
export function expectItem<T>(item: T | undefined): T {
  if (item === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
  return item;
}
