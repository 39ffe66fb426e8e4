import type {
  TableSchema,
  ViewColumnDraft,
  ViewColumnSchema,
  ViewDraft,
  ViewType,
} from '@trellis/sdk/server';
import { meetsFilters, NotDecided, readUtc, type FilterNode, type FilterOperator } from '@trellis/sdk/shared';
import {
  asksOfLinks,
  checkPattern,
  columnsAsked,
  fieldOptions,
  formOptions,
  isPlainAddress,
  type FieldOptions,
  type FormOptions,
} from '../shared/index.ts';
import { formErrors } from './form-errors.ts';
import { conditionColumns, isAnswerable, isNeeded, type ColumnTypes } from './form-fields.ts';

export interface FormRules {
  readonly types: ColumnTypes;
  readonly operators: { list(): readonly FilterOperator[] };
}

/**
 * A form shows every column that the table requires, and refuses to hide one. A new form shows the answerable columns, the display
 * column first.
 */
export function checkForm({ types, operators }: FormRules): NonNullable<ViewType['willSave']> {
  return (draft, { table, view, copyOf }) => {
    checkMoments(draft.options as FormOptions, formOptions(view?.meta));
    const { redirectUrl } = draft.options as FormOptions;
    if (
      redirectUrl !== '' &&
      redirectUrl !== formOptions(view?.meta).redirectUrl &&
      !(isPlainAddress(redirectUrl) && URL.canParse(redirectUrl))
    )
      throw formErrors.create('FORM_ADDRESS', { address: redirectUrl });
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

/** With an invalid moment, the form would stay open, or closed, for ever. An unchanged saved one is accepted. */
function checkMoments(options: FormOptions, before: FormOptions): void {
  for (const end of ['opensAt', 'closesAt'] as const) {
    const text = options[end];
    if (text !== '' && text !== before[end] && readUtc(text) === undefined)
      throw formErrors.create('FORM_MOMENT', { text });
  }
  const [opens, closes] = [readUtc(options.opensAt), readUtc(options.closesAt)];
  if (opens !== undefined && closes !== undefined && opens >= closes) throw formErrors.create('FORM_DATES');
}

/** The same for a field's own limits. */
function checkDates({ earliest, latest }: FieldOptions, column: string): void {
  const limits = [earliest, latest].map((text) => [text, readUtc(text)] as const);
  for (const [text, at] of limits)
    if (text !== '' && at === undefined) throw formErrors.create('FORM_MOMENT', { text });
  const [first, last] = limits.map(([, at]) => at);
  if (first !== undefined && last !== undefined && first > last)
    throw formErrors.create('FORM_FIELD_DATES', { column });
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

/** Invalid rules are refused when they are saved, and when their field is shown; unchanged saved ones are accepted. */
function checkFields(
  draft: ViewDraft,
  of: FormRules & { readonly view: Saved; readonly table: TableSchema },
): void {
  // A field that the table now requires is shown whatever its stored state.
  const shownBefore = of.view?.columns.filter(({ columnId, show }) => show || isAlwaysAsked(columnId, of));
  const before = new Map(shownBefore?.map(({ columnId, meta }) => [columnId, JSON.stringify(meta ?? {})]));
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
    checkDates(field, column);
    if (field.condition.length > 0 && isAlwaysAsked(columnId, of))
      throw formErrors.create('FORM_CONDITION_NEEDED', {
        column,
      });
    // If the table requires the column, other people could not send the form.
    if (field.creatorsOnly && isAlwaysAsked(columnId, of))
      throw formErrors.create('FORM_CREATORS_NEEDED', { column });
    // Conditions must not reveal hidden fields to visitors.
    const askable = ordered.slice(0, at).filter((place) => field.creatorsOnly || !isForCreators(place));
    const earlier = new Set(askable.map((place) => place.columnId));
    checkCondition(field.condition, { ...of, column, earlier });
  }
  const told = new Set(askedOfCreators(of.view?.columns ?? []).map(({ key }) => key));
  const asked = askedOfCreators(ordered.map((place) => ({ ...place, meta: place.options })));
  const [made] = asked.filter(({ key }) => !told.has(key));
  if (made !== undefined)
    throw formErrors.create('FORM_CREATORS_ASKED', {
      column: of.table.columnById.get(made.columnId)?.title ?? '',
      asking: of.table.columnById.get(made.asking)?.title ?? '',
    });
}

const isForCreators = ({ options }: ViewColumnDraft): boolean => (options as FieldOptions).creatorsOnly;

/** Conditions of public fields that use a field for creators only. */
function askedOfCreators(
  places: readonly Pick<ViewColumnSchema, 'columnId' | 'show' | 'meta'>[],
): readonly { readonly key: string; readonly asking: string; readonly columnId: string }[] {
  const fields = places
    .filter(({ show }) => show)
    .map(({ columnId, meta }) => ({ columnId, ...fieldOptions(meta) }));
  const forCreators = new Set(fields.filter((of) => of.creatorsOnly).map(({ columnId }) => columnId));
  return fields
    .filter((of) => !of.creatorsOnly)
    .flatMap(({ columnId: asking, condition }) =>
      columnsAsked(condition)
        .filter((columnId) => forCreators.has(columnId))
        .map((columnId) => ({ key: `${asking} ${columnId}`, asking, columnId })),
    );
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
  for (const { columnId: id } of conditionsIn(nodes))
    if (!earlier.has(id))
      throw formErrors.create('FORM_CONDITION_FIELD', {
        column,
      });
  for (const { columnId, operator } of conditionsIn(nodes))
    if (table.columnById.get(columnId)?.linkId !== undefined && !asksOfLinks(operator))
      throw formErrors.create('FORM_CONDITION', {
        column,
        reason: 'of links it can only ask whether there are any',
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

/** Why a condition cannot be saved; undefined for other errors. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotDecided) return 'cannot be asked before the row is there';
  return error instanceof RangeError ? error.message : undefined;
}

/** @throws TrellisError for an invalid filter. */
function conditionsIn(
  nodes: readonly FilterNode[],
): readonly Extract<FilterNode, { readonly kind: 'condition' }>[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'condition' && typeof node.columnId === 'string') return [node];
    if (node.kind === 'group' && Array.isArray(node.children)) return conditionsIn(node.children);
    throw formErrors.create('FORM_CONDITION_SHAPE');
  });
}
