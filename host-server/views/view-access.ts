import type { RegistryView } from '@trellis/core';
import type { AccessScope, SchemaStore, TableSchema, ViewSchema, ViewType } from '@trellis/sdk/server';
import type { Unit } from '../databases/database.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { AnnounceSchemaChange, RecordSchemaChange } from '../schema/schema-changes.ts';
import { viewErrors } from './view-errors.ts';

export interface ViewStoreDependencies {
  readonly metadata: Metadata;
  readonly schema: SchemaStore;
  readonly viewTypes: RegistryView<ViewType>;
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
}

/** A view with its table. */
export interface Found {
  readonly table: TableSchema;
  readonly view: ViewSchema;
}

export interface Stamps {
  readonly created_at: number;
  readonly updated_at: number;
}

/** How views are found and changed, for all parts of the store. */
export interface ViewAccess {
  readonly deps: ViewStoreDependencies;
  find(scope: AccessScope, pick: (view: ViewSchema) => boolean): Promise<Found | undefined>;
  findView(scope: AccessScope, viewId: string): Promise<Found>;
  reread(scope: AccessScope, viewId: string): Promise<ViewSchema>;
  /** One write to a view: its rows, the generation, and the telling afterwards. */
  change<T>(
    scope: AccessScope,
    found: Found,
    work: (unit: Unit, stamps: Stamps) => Promise<T>,
    audited?: { readonly subType: string; readonly description: string },
  ): Promise<T>;
}

export function createViewAccess(deps: ViewStoreDependencies): ViewAccess {
  const { metadata, schema, record, announce } = deps;
  const { database, generations } = metadata;

  async function find(scope: AccessScope, pick: (view: ViewSchema) => boolean): Promise<Found | undefined> {
    const { tables } = await schema.snapshot(scope);
    for (const table of tables.values()) {
      const view = table.views.find(pick);
      if (view !== undefined) return { table, view };
    }
    return undefined;
  }

  async function findView(scope: AccessScope, viewId: string): Promise<Found> {
    const found = await find(scope, (view) => view.id === viewId);
    if (found === undefined || (isForeign(scope, found.view) && !scope.may('viewUpdate'))) {
      throw viewErrors.create('VIEW_NOT_FOUND');
    }
    return found;
  }

  async function change<T>(
    scope: AccessScope,
    found: Found,
    work: (unit: Unit, stamps: Stamps) => Promise<T>,
    audited?: { readonly subType: string; readonly description: string },
  ): Promise<T> {
    const { table, view } = found;
    const now = Date.now();
    const result = await database.write(
      async (unit) => {
        await generations.bump(unit, table.projectId);
        const answer = await work(unit, { created_at: now, updated_at: now });
        if (audited) {
          await record(unit, {
            scope,
            auditType: 'VIEW',
            auditSubType: audited.subType,
            projectId: table.projectId,
            baseId: table.baseId,
            tableId: table.id,
            description: audited.description,
          });
        }
        return answer;
      },
      { retry: true },
    );
    announce({ projectId: table.projectId, tableId: table.id, viewId: view.id, requestId: scope.requestId });
    return result;
  }

  async function reread(scope: AccessScope, viewId: string): Promise<ViewSchema> {
    return (await findView(scope, viewId)).view;
  }

  return { deps, find, findView, reread, change };
}

/** Whether this is the personal view of somebody else. */
export function isForeign(scope: AccessScope, view: ViewSchema): boolean {
  return (
    view.lockType === 'personal' && view.ownerId !== scope.principal.id && scope.principal.kind !== 'system'
  );
}

/** Refuses where the view's mode says that its configuration is not this caller's to change. */
export function assertConfigurable(scope: AccessScope, view: ViewSchema): void {
  if (view.lockType === 'locked') throw viewErrors.create('VIEW_LOCKED');
  if (isForeign(scope, view)) throw viewErrors.create('VIEW_PERSONAL');
}

export function assertColumn(table: TableSchema, columnId: string): void {
  if (!table.columnById.has(columnId)) throw viewErrors.create('VIEW_COLUMN_UNKNOWN');
}

/** Behind all of these. */
export function nextOrder(items: readonly { readonly order: number }[]): number {
  return Math.max(0, ...items.map((item) => item.order)) + 1;
}

/** The item that a write was about, read back from the new snapshot. */
export function expectItem<T>(item: T | undefined): T {
  if (item === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
  return item;
}
