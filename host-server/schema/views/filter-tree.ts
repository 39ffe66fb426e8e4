import type { FilterInput, FilterSchema, TableSchema } from '@trellis/sdk/server';
import { newId } from '../../runtime/ids.ts';
import type { FilterRow } from '../../metadata/models/filter-model.ts';
import { assertColumn } from './view-access.ts';
import { viewErrors } from './view-errors.ts';

const deepestGroup = 5;

/** A filter and everything in it, as rows. */
export function filterRows(
  input: FilterInput,
  at: {
    readonly table: TableSchema;
    readonly viewId: string;
    readonly parentId: string | null;
    readonly order: number;
    readonly depth: number;
    /** Ids that filters may keep. Each can be used once. */
    readonly keeps?: Set<string>;
  },
): readonly Omit<FilterRow, 'created_at' | 'updated_at'>[] {
  const { table, viewId, parentId, order, depth, keeps } = at;
  if (depth > deepestGroup) throw viewErrors.create('FILTER_DEPTH', { limit: deepestGroup });
  const isGroup = input.isGroup === true || input.children !== undefined;
  if (!isGroup && input.columnId === undefined) throw viewErrors.create('FILTER_INCOMPLETE');
  if (input.columnId !== undefined) assertColumn(table, input.columnId);
  const id = input.id !== undefined && keeps?.delete(input.id) === true ? input.id : newId('filter');
  const row = {
    id,
    project_id: table.projectId,
    view_id: viewId,
    parent_id: parentId,
    is_group: isGroup,
    logical_op: input.logicalOp ?? ('and' as const),
    column_id: input.columnId ?? null,
    operator: input.operator ?? (isGroup ? null : 'eq'),
    value: input.value,
    sort_order: input.order ?? order,
  };
  const children = (input.children ?? []).flatMap((child, index) =>
    filterRows(child, { table, viewId, parentId: id, order: index + 1, depth: depth + 1, keeps }),
  );
  return [row, ...children];
}

/** Whether the tree that a person read is still the stored one. */
export function isSameTree(read: readonly FilterInput[], standing: readonly FilterSchema[]): boolean {
  return (
    read.length === standing.length &&
    standing.every((filter, at) => {
      const other = read[at];
      return (
        other !== undefined &&
        JSON.stringify(contentOf(other)) === JSON.stringify(contentOf(filter)) &&
        isSameTree(other.children ?? [], filter.children)
      );
    })
  );
}

function contentOf(filter: Omit<FilterInput, 'value' | 'children'> & { readonly value?: unknown }): unknown {
  const { id, logicalOp = 'and', isGroup, columnId, operator = 'eq', value } = filter;
  return isGroup === true ? [id, logicalOp] : [id, logicalOp, columnId, operator, value ?? ''];
}

/** The filter with this id, at any depth. */
export function findFilter(filters: readonly FilterSchema[], id: string): FilterSchema | undefined {
  for (const filter of filters) {
    const found = filter.id === id ? filter : findFilter(filter.children, id);
    if (found) return found;
  }
  return undefined;
}

/** The depth of a filter: 1 at the root, 0 if it is not there. */
export function depthOf(filters: readonly FilterSchema[], id: string): number {
  for (const filter of filters) {
    if (filter.id === id) return 1;
    const below = depthOf(filter.children, id);
    if (below > 0) return below + 1;
  }
  return 0;
}

/** The ids of a filter and of everything in it. */
export function idsIn(filter: FilterSchema): readonly string[] {
  return [filter.id, ...filter.children.flatMap(idsIn)];
}

/** A stored filter as the input that would make it again. */
export function toInput(filter: FilterSchema): FilterInput {
  return {
    columnId: filter.columnId,
    operator: filter.operator,
    value: filter.value as FilterInput['value'],
    logicalOp: filter.logicalOp,
    isGroup: filter.isGroup,
    order: filter.order,
    ...(filter.isGroup && { children: filter.children.map(toInput) }),
  };
}
