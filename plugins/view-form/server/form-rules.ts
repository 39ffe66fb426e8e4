import type { TableSchema, ViewColumnDraft, ViewDraft, ViewType } from '@trellis/sdk/server';
import { meetsFilters, NotDecided, type FilterNode, type FilterOperator } from '@trellis/sdk/shared';
import { checkPattern, type FieldOptions, type FormOptions } from '../shared/index.ts';
import { formErrors } from './form-errors.ts';
import { conditionColumns, isAnswerable, isNeeded, type ColumnTypes } from './form-fields.ts';

export interface FormRules {
  readonly types: ColumnTypes;
  readonly operators: { list(): readonly FilterOperator[] };
}

/**
 * A form shows every column that the table requires, and refuses to hide one. A new one asks for what people can answer, the column that names
 * the row first.
 */
export function checkForm({ types, operators }: FormRules): NonNullable<ViewType['willSave']> {
  return (draft, { table, view, copyOf }) => {
    const options = draft.options as FormOptions;
    if (options.opensAt !== '' && options.closesAt !== '' && options.opensAt >= options.closesAt)
      throw formErrors.create('FORM_DATES');
    const isNew = view === undefined && copyOf?.type !== 'form';
    const needed = (id: string) => {
      const column = table.columnById.get(id);
      return column !== undefined && isNeeded(column, types);
    };
    const hidden = draft.columns.find(
      ({ columnId, show }) =>
        !show && needed(columnId) && view?.columns.some((of) => of.columnId === columnId && of.show),
    );
    if (hidden !== undefined)
      throw formErrors.create('FORM_NEEDS_FIELD', {
        column: table.columnById.get(hidden.columnId)?.title ?? '',
      });
    const shown = draft.columns.map((column) =>
      needed(column.columnId) ? { ...column, show: true } : column,
    );
    const columns = isNew ? firstColumns(shown, table, types) : shown;
    checkFields({ ...draft, columns }, { view, table, types, operators });
    return { ...draft, columns };
  };
}

function firstColumns(
  columns: readonly ViewColumnDraft[],
  table: TableSchema,
  types: ColumnTypes,
): readonly ViewColumnDraft[] {
  const least = Math.min(...columns.map(({ order }) => order));
  return columns.map((place) => {
    const column = table.columnById.get(place.columnId);
    if (column === undefined) return place;
    const show = isNeeded(column, types) || (place.show && isAnswerable(column, types));
    return { ...place, show, ...(column.display && { order: least - 1 }) };
  });
}

type Saved = Parameters<NonNullable<ViewType['willSave']>>[1]['view'];

/** Rules that could not be kept are refused when they are made; those that were saved before stay. */
function checkFields(
  draft: ViewDraft,
  of: FormRules & { readonly view: Saved; readonly table: TableSchema },
): void {
  const before = new Map(
    of.view?.columns.map(({ columnId, meta }) => [columnId, JSON.stringify(meta ?? {})]),
  );
  const ordered = draft.columns.filter(({ show }) => show).toSorted((a, b) => a.order - b.order);
  for (const [at, { columnId, options }] of ordered.entries()) {
    if (before.get(columnId) === JSON.stringify(options)) continue;
    const field = options as FieldOptions;
    const column = of.table.columnById.get(columnId)?.title ?? '';
    const problem = field.pattern === '' ? undefined : checkPattern(field.pattern);
    if (problem?.kind === 'broken') throw formErrors.create('FORM_PATTERN', { column });
    if (problem?.kind === 'long') throw formErrors.create('FORM_PATTERN_LONG', { column });
    if (problem?.kind === 'unknown')
      throw formErrors.create('FORM_PATTERN_PART', { column, part: problem.part });
    if (field.least !== null && field.most !== null && field.least > field.most)
      throw formErrors.create('FORM_LIMITS', { column });
    if (field.condition.length > 0 && isAlwaysAsked(columnId, of))
      throw formErrors.create('FORM_CONDITION_NEEDED', {
        column,
      });
    const earlier = new Set(ordered.slice(0, at).map((place) => place.columnId));
    checkCondition(field.condition, { ...of, column, earlier });
  }
}

function isAlwaysAsked(
  columnId: string,
  { table, types }: FormRules & { readonly table: TableSchema },
): boolean {
  const column = table.columnById.get(columnId);
  return column !== undefined && isNeeded(column, types);
}

function checkCondition(
  nodes: readonly FilterNode[],
  of: FormRules & {
    readonly table: TableSchema;
    readonly column: string;
    readonly earlier: ReadonlySet<string>;
  },
): void {
  const { column, table, types, operators, earlier } = of;
  for (const id of columnsIn(nodes))
    if (!earlier.has(id))
      throw formErrors.create('FORM_CONDITION_FIELD', {
        column,
      });
  try {
    meetsFilters(new Map(), nodes, { columns: conditionColumns(table, types), operators: operators.list() });
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw formErrors.create('FORM_CONDITION', {
      column,
      reason,
    });
  }
}

/** Why a condition could not be kept; undefined for what went wrong otherwise. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotDecided) return 'cannot be asked before the row is there';
  return error instanceof RangeError ? error.message : undefined;
}

/** @throws TrellisError for what is no filter. */
function columnsIn(nodes: readonly FilterNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'condition' && typeof node.columnId === 'string') return [node.columnId];
    if (node.kind === 'group' && Array.isArray(node.children)) return columnsIn(node.children);
    throw formErrors.create('FORM_CONDITION_SHAPE');
  });
}
