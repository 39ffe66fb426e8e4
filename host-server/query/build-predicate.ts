import { TrellisError, type RegistryView } from '@trellis/core';
import {
  askedAs,
  type AccessScope,
  type ColumnSchema,
  type FilterSchema,
  type Principal,
  type ServerColumnType,
  type TableSchema,
} from '@trellis/sdk/server';
import {
  combinePredicates,
  isUnfinished,
  joinPredicates,
  nestsDeeperThan,
  parseRowKey,
  plainOf,
  predicateOfTree,
  type CellValue,
  type ColumnContext,
  type Expression,
  type FilterCondition,
  type FilterNode,
  type FilterOperator,
  type Predicate,
  type RowKey,
  type StorageKind,
} from '@trellis/sdk/shared';
import { isValueError } from '../dialects/types/value-errors.ts';
import { columnContext } from './column-context.ts';
import type { CompileContext } from './compile-context.ts';
import { computedType, hasOneValue, linkedCells, linkedValues } from './computed-columns.ts';
import { deepestValue, findOperator } from './find-operator.ts';
import { assertKeepsAddresses } from './kept-addresses.ts';
import { problemParams } from './problem-params.ts';
import { queryErrors } from './query-errors.ts';
import { parseWhere, type WhereNode } from './where-parser.ts';

/** The context in which a query of a table is built. A query can name only columns that the caller may see. */
export interface QueryScope {
  readonly context: CompileContext;
  readonly visible: 'all' | ReadonlySet<string>;
  readonly operators: RegistryView<FilterOperator>;
  /** The reader, for filters such as "is me" that differ by person. */
  readonly reader: Principal;
}

export function queryScope(
  scope: AccessScope,
  context: CompileContext,
  operators: RegistryView<FilterOperator>,
): QueryScope {
  return { context, visible: visibleColumns(scope, context.table), operators, reader: scope.principal };
}

/** The columns that the caller may read, without links to tables that the caller may not see. */
function visibleColumns(scope: AccessScope, table: TableSchema): 'all' | ReadonlySet<string> {
  const readable = scope.readableColumns(table.id);
  const dark = new Set(table.links.flatMap((link) => (scope.reaches(link.toTableId) ? [] : [link.id])));
  if (dark.size === 0) return readable;
  const seen = table.columns.filter(
    (column) => isVisible(readable, column) && !(column.linkId !== undefined && dark.has(column.linkId)),
  );
  return new Set(seen.map(({ id }) => id));
}

/** The column with this title. @throws the same 400 for a hidden column as for a missing one */
export function columnByTitle(
  { context: { table }, visible }: QueryScope,
  title: string,
  use: 'filter' | 'sort' | 'select',
): ColumnSchema {
  const column = table.columnByTitle.get(title) ?? table.columnByTitle.get(title.trim());
  if (column === undefined || !isVisible(visible, column))
    throw queryErrors.create('COLUMN_UNKNOWN', { column: title.trim(), use });
  return column;
}

export function columnById(
  { context: { table }, visible }: QueryScope,
  id: string,
  use: 'filter' | 'sort' | 'group',
): ColumnSchema {
  const column = table.columnById.get(id);
  if (column === undefined || !isVisible(visible, column))
    throw queryErrors.create('COLUMN_UNKNOWN', { column: id, use });
  return column;
}

export function isVisible(visible: 'all' | ReadonlySet<string>, column: ColumnSchema): boolean {
  return visible === 'all' || visible.has(column.id);
}

function condition(
  of: QueryScope,
  column: ColumnSchema,
  operator: FilterOperator,
  given: CellValue | undefined,
): Predicate {
  if (!hasOneValue(of.context.reach, column)) return linkedCondition(of, column, operator, given);
  const { type, storage } = readAs(of.context, column);
  const value =
    given === undefined ? undefined : (type?.server?.filterValue?.(given, of.reader, operator) ?? given);
  const { linkId } = column;
  return refusing(column, operator, value, () => {
    const asked = operator.build({
      column: { kind: 'column', columnId: column.id },
      type: column.type,
      storage,
      ...(type?.separator !== undefined && { separator: type.separator }),
      value,
      literal: literalsOf(of, column),
      ...(linkId !== undefined && {
        isMissing: { kind: 'not', item: { kind: 'some', linkId } },
        linkedTo: (keys) => linkedTo(of, linkId, keys),
      }),
    });
    assertKeepsAddresses(of, column, asked);
    return asked;
  });
}

/** Checks that a value is given and not nested too deeply, then makes the condition. An error for an unfit value names the column. */
function refusing(
  column: ColumnSchema,
  { arity }: FilterOperator,
  value: CellValue | undefined,
  make: () => Predicate,
): Predicate {
  if (arity !== 'none' && value === undefined)
    throw unfitValue(column, queryErrors.create('FILTER_WITHOUT_VALUE'));
  if (nestsDeeperThan(value, deepestValue))
    throw unfitValue(column, queryErrors.create('FILTER_NESTED', { most: deepestValue }));
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw unfitValue(column, error);
    throw error;
  }
}

/** Reads the values that a column is compared with. A value that the column cannot hold is refused. */
function literalsOf(of: QueryScope, column: ColumnSchema): (input: unknown) => Expression {
  const { type, context, storage } = readAs(of.context, column);
  const unfit = (why: Parameters<typeof problemParams>[0]) => unfitValue(column, why);
  return (input) => {
    if (context === undefined || type === undefined)
      return { kind: 'literal', value: plainOf(input as CellValue), storage };
    // A text column compares with the text as it was typed; other types read it as they read a cell.
    const parsed = type.parse(input, context);
    if (!parsed.ok) throw unfit(parsed);
    const plain = plainOf(parsed.value);
    // A computed column has no form in the database.
    if (column.columnName === '') return { kind: 'literal', value: plain, storage: holding(storage, plain) };
    const codec = of.context.dialect.types.codec(column.storage, column.nativeType);
    try {
      codec.toDatabase(plain);
    } catch (error) {
      if (isValueError(error)) throw unfit(error);
      throw error;
    }
    return { kind: 'literal', value: plain, storage };
  };
}

/** Whether a link leads to one of the rows that have these keys. A text that no key can have names no row. */
function linkedTo(of: QueryScope, linkId: string, keys: readonly RowKey[]): Predicate {
  const { table, reach } = of.context;
  const link = table.links.find(({ id }) => id === linkId);
  const to = link && reach.snapshot.tables.get(link.toTableId);
  if (to === undefined) throw queryErrors.create('LINK_MISSING', { table: table.title });
  const there: QueryScope = { ...of, context: { ...of.context, table: to } };
  const ends = to.primaryKey.map((column) => ({ column, literal: literalsOf(there, column) }));
  const items = keys.flatMap((key) => {
    const parts = ends.length === 0 ? undefined : parseRowKey(key, ends.length);
    return parts === undefined ? [] : (hasKey(ends, parts) ?? []);
  });
  if (items.length === 0) return { kind: 'always', value: false };
  return { kind: 'some', linkId, where: combinePredicates('or', items) };
}

interface KeyEnd {
  readonly column: ColumnSchema;
  literal(part: string): Expression;
}

/** The condition that a row has a key; undefined when a part of the key is no value of its column. */
function hasKey(ends: readonly KeyEnd[], parts: readonly string[]): Predicate | undefined {
  try {
    const same = ends.map(({ column, literal }, index): Predicate => {
      const left: Expression = { kind: 'column', columnId: column.id };
      return { kind: 'compare', comparison: 'eq', left, right: literal(parts[index] ?? '') };
    });
    return combinePredicates('and', same);
  } catch (error) {
    if (error instanceof TrellisError && error.code === 'FILTER_VALUE') return undefined;
    throw error;
  }
}

const kinds = new WeakMap<CompileContext, Map<string, StorageKind>>();

/** The kind of a computed column's cells. It is found once for all conditions of a query, since finding it compiles the whole column. */
function computedKind(context: CompileContext, column: ColumnSchema): StorageKind {
  const known = kinds.get(context) ?? new Map<string, StorageKind>();
  kinds.set(context, known);
  const kind = known.get(column.id) ?? computedType(context, column)?.kind ?? 'text';
  known.set(column.id, kind);
  return kind;
}

/**
 * The column type that reads the values which a column is compared with, the context for that type, and the kind of the column's
 * cells. Without a type, values are taken unread.
 */
function readAs(
  compiled: CompileContext,
  column: ColumnSchema,
): {
  readonly type: ServerColumnType | undefined;
  readonly context?: ColumnContext;
  readonly storage: StorageKind;
} {
  const { columnTypes: types, snapshot } = compiled.reach;
  const own = types.get(column.type);
  if (column.columnName !== '')
    return { type: own, context: columnContext(column, own), storage: column.storage };
  const kind = computedKind(compiled, column);
  // A computed column's own type says how to compute it. Values are read by the type of the result.
  const asked = askedAs(column, { types, snapshot });
  const type = asked && types.get(asked.uidt);
  if (asked === undefined || type === undefined) return { type: own, storage: kind };
  const { storage, meta } = asked;
  return {
    type,
    context: columnContext({ ...column, required: false, storage, meta }, type),
    storage: kind,
  };
}

/** The kind of a number for a comparison: `decimal` for a fraction that is compared with whole numbers, such as 1.5. */
function holding(storage: StorageKind, value: CellValue): StorageKind {
  const isWhole = storage === 'integer' || storage === 'bigint';
  return isWhole && value !== null && !Number.isInteger(Number(value)) ? 'decimal' : storage;
}

/**
 * A condition on a column whose cells show values of linked rows. The comparison is made on the column of the linked table that
 * holds the values.
 */
function linkedCondition(
  of: QueryScope,
  column: ColumnSchema,
  operator: FilterOperator,
  value: CellValue | undefined,
): Predicate {
  const { table, reach } = of.context;
  if (linkedCells(reach, column) === undefined) {
    if (reach.columnTypes.get(column.type)?.server?.compute !== undefined)
      throw queryErrors.create('COLUMN_MISSING', { table: table.title });
    throw queryErrors.create('COLUMN_NOT_COMPUTED', { column: column.title, type: column.type });
  }
  const values = linkedValues(reach, column);
  const to = values && reach.snapshot.tables.get(values.link.toTableId);
  if (values === undefined || to === undefined)
    throw queryErrors.create('LINK_MISSING', { table: table.title });
  const { link, of: compared } = values;
  const there: QueryScope = { ...of, context: { ...of.context, table: to } };
  const some = (build?: FilterOperator['build']): Predicate => {
    if (build === undefined) return { kind: 'some', linkId: link.id };
    const plain: FilterOperator = { ...operator, build, buildLinked: undefined };
    return { kind: 'some', linkId: link.id, where: condition(there, compared, plain, value) };
  };
  const ownLink = column.linkId === undefined ? undefined : link.id;
  return refusing(
    column,
    operator,
    value,
    () =>
      operator.buildLinked?.({
        value,
        some,
        ...(ownLink !== undefined && { linkedTo: (keys) => linkedTo(of, ownLink, keys) }),
      }) ?? some(operator.build),
  );
}

function fromWhere(of: QueryScope, node: WhereNode): Predicate {
  if (node.kind === 'group') {
    const terms = node.terms.map(({ joiner, node: term }) => ({ joiner, predicate: fromWhere(of, term) }));
    // The grammar has no empty brackets.
    return joinPredicates(terms) ?? { kind: 'always', value: true };
  }
  const column = columnByTitle(of, node.column, 'filter');
  const operator = findOperator(of.operators, node.operator);
  if (operator === undefined) throw queryErrors.create('OPERATOR_UNKNOWN', { operator: node.operator });
  return condition(of, column, operator, node.value);
}

/** The predicate of a `where` text. */
export function predicateOfWhere(of: QueryScope, text: string): Predicate {
  return fromWhere(
    of,
    parseWhere(text, (word) => findOperator(of.operators, word)?.arity === 'list'),
  );
}

/** The predicate of filters as clients send them; undefined when they filter nothing. */
export function predicateOfFilters(of: QueryScope, nodes: readonly FilterNode[]): Predicate | undefined {
  return predicateOfTree(nodes, (node) => predicateOfCondition(of, node));
}

function predicateOfCondition(of: QueryScope, node: FilterCondition): Predicate {
  const column = columnById(of, node.columnId, 'filter');
  const operator = findOperator(of.operators, node.operator);
  if (operator === undefined)
    throw queryErrors.create('FILTER_OPERATOR_DISABLED', { operator: node.operator });
  return condition(of, column, operator, node.value);
}

/**
 * Saved filters without those that cannot be used, because the plugin of their comparison is off or their value does not suit the
 * new type of their column.
 */
export function withoutUnusable(of: QueryScope, filters: readonly FilterSchema[]): readonly FilterSchema[] {
  return filters.flatMap((filter) => {
    if (filter.isGroup) return [{ ...filter, children: withoutUnusable(of, filter.children) }];
    return isUsable(of, filter) ? [filter] : [];
  });
}

function unfitValue({ title }: ColumnSchema, why: Parameters<typeof problemParams>[0]): Error {
  return queryErrors.create('FILTER_VALUE', { ...problemParams(why), column: title });
}

function isUsable(of: QueryScope, filter: FilterSchema): boolean {
  try {
    predicateOfFilters(of, toNode(of, filter));
    return true;
  } catch (error) {
    if (error instanceof TrellisError && unusable.has(error.code)) return false;
    throw error;
  }
}

const unusable = new Set(['FILTER_OPERATOR_DISABLED', 'FILTER_VALUE']);

/** The part of a saved filter that decides what it filters. */
export type FilterContent = Pick<
  FilterSchema,
  'isGroup' | 'logicalOp' | 'columnId' | 'operator' | 'value'
> & { readonly children: readonly FilterContent[] };

/** @throws TrellisError 400 `FILTER_VALUE` for a filter whose value does not suit its column. */
export function assertFits(of: QueryScope, filter: FilterContent): void {
  predicateOfFilters(of, toNode(of, filter));
}

/** The saved filters of a view, or undefined where they filter nothing. A condition without its value yet does not filter. */
export function predicateOfSavedFilters(
  of: QueryScope,
  filters: readonly FilterSchema[],
): Predicate | undefined {
  try {
    return predicateOfFilters(
      of,
      filters.flatMap((filter) => toNode(of, filter)),
    );
  } catch (error) {
    // The caller's own query is correct, and the view's filter is not. A caller with the right to change the view can go on without the filter.
    if (error instanceof TrellisError && error.code === 'FILTER_VALUE')
      throw queryErrors.create(
        'FILTER_UNFIT',
        {
          ...error.params,
          column: String(error.params['column']),
          problem: String(error.params['problem']),
        },
        error,
      );
    throw error;
  }
}

function toNode(of: QueryScope, filter: FilterContent): readonly FilterNode[] {
  if (filter.isGroup) {
    const children = filter.children.flatMap((child) => toNode(of, child));
    return [{ kind: 'group', logicalOp: filter.logicalOp, children }];
  }
  if (filter.columnId === undefined || filter.operator === undefined) return [];
  const operator = findOperator(of.operators, filter.operator);
  const value = filter.value as CellValue | undefined;
  if (operator !== undefined && isUnfinished(operator, value)) return [];
  return [
    {
      kind: 'condition',
      logicalOp: filter.logicalOp,
      columnId: filter.columnId,
      operator: filter.operator,
      value,
    },
  ];
}
