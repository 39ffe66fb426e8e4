import {
  viewIn,
  type AccessScope,
  type FilterSchema,
  type FoundView,
  type SchemaStore,
  type SortSchema,
  type ViewColumnSchema,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';

export const viewErrors = defineErrors({
  VIEW_NOT_FOUND: { status: 404, message: 'View not found' },
  SORT_NOT_FOUND: { status: 404, message: 'Sort not found' },
  FILTER_NOT_FOUND: { status: 404, message: 'Filter not found' },
  VIEW_COLUMN_NOT_FOUND: { status: 404, message: 'View column not found' },
  VIEW_TITLE_REQUIRED: { status: 400, message: 'View name is required' },
});

/** All views of the scope's project that the caller may see, with their tables. */
async function views(schema: SchemaStore, scope: AccessScope): Promise<readonly FoundView[]> {
  const { tables } = await schema.snapshot(scope);
  return [...tables.values()].flatMap((table) => table.views.map((view) => ({ table, view })));
}

export async function findView(schema: SchemaStore, scope: AccessScope, viewId: string): Promise<FoundView> {
  const found = viewIn(await schema.snapshot(scope), viewId);
  if (found === undefined) throw viewErrors.create('VIEW_NOT_FOUND');
  return found;
}

export async function findSort(
  schema: SchemaStore,
  scope: AccessScope,
  sortId: string,
): Promise<FoundView & { readonly sort: SortSchema }> {
  for (const found of await views(schema, scope)) {
    const sort = found.view.sorts.find(({ id }) => id === sortId);
    if (sort) return { ...found, sort };
  }
  throw viewErrors.create('SORT_NOT_FOUND');
}

function inTree(filters: readonly FilterSchema[], id: string): FilterSchema | undefined {
  for (const filter of filters) {
    const found = filter.id === id ? filter : inTree(filter.children, id);
    if (found) return found;
  }
  return undefined;
}

export async function findFilter(
  schema: SchemaStore,
  scope: AccessScope,
  filterId: string,
): Promise<FoundView & { readonly filter: FilterSchema }> {
  const found = await filterOfView(schema, scope, filterId);
  if (found === undefined) throw viewErrors.create('FILTER_NOT_FOUND');
  return found;
}

/** Undefined for a filter that belongs to no view of the project. */
export async function filterOfView(
  schema: SchemaStore,
  scope: AccessScope,
  filterId: string,
): Promise<(FoundView & { readonly filter: FilterSchema }) | undefined> {
  for (const found of await views(schema, scope)) {
    const filter = inTree(found.view.filters, filterId);
    if (filter) return { ...found, filter };
  }
  return undefined;
}

export async function findViewColumn(
  schema: SchemaStore,
  scope: AccessScope,
  viewColumnId: string,
): Promise<FoundView & { readonly column: ViewColumnSchema }> {
  for (const found of await views(schema, scope)) {
    const column = found.view.columns.find(({ id }) => id === viewColumnId);
    if (column) return { ...found, column };
  }
  throw viewErrors.create('VIEW_COLUMN_NOT_FOUND');
}
