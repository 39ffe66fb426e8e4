import { decimal, number } from '#plugins/columns-basic/shared';
import type {
  AskedPlace,
  ColumnSchema,
  ColumnTypeServerPart,
  LinkSchema,
  ProjectSnapshot,
  TableSchema,
  VirtualColumnPlace,
} from '@trellis/sdk/server';
import type { AskedAs, ComputedResult, Expression, StorageKind } from '@trellis/sdk/shared';
import {
  count,
  isCount,
  isRollupFunction,
  linkToAnotherRecord,
  lookup,
  numberFunctions,
  rollup,
  rollupFunctions,
  type WayOptions as Way,
} from '../shared/index.ts';
import { linkOf, nameExpression } from './link-type.ts';
import { relationErrors } from './relation-errors.ts';

type Meta = Readonly<Record<string, unknown>>;

const numberKinds: ReadonlySet<string> = new Set(['integer', 'bigint', 'decimal', 'float']);

function wayOf(column: ColumnSchema): Way {
  return (column.meta ?? {}) as Way;
}

function linkOfWay({ relationColumnId = '' }: Way, table: TableSchema | undefined): LinkSchema | undefined {
  return linkOf(table?.columnById.get(relationColumnId), table);
}

/** The link of a column and the column that it reaches, while both exist. */
function reached(column: ColumnSchema, snapshot: ProjectSnapshot) {
  const way = wayOf(column);
  const link = linkOfWay(way, snapshot.tables.get(column.tableId));
  const to = link && snapshot.tables.get(link.toTableId);
  return { way, link, of: to?.columnById.get(way.columnId ?? '') };
}

/** The parts of an existing column: they may be sent again, but not changed. */
function assertSame(meta: Meta, { column }: VirtualColumnPlace, keys: readonly (keyof Way)[]): void {
  if (column === undefined) return;
  const before = wayOf(column);
  if (keys.some((key) => meta[key] !== undefined && meta[key] !== before[key]))
    throw relationErrors.create('DEFINITION_FIXED', { type: column.type });
}

/** @throws TrellisError 400 for an invalid link or column. */
function resolvedLink(meta: Meta, { table, snapshot }: VirtualColumnPlace) {
  const relationColumnId = meta.relationColumnId;
  if (typeof relationColumnId !== 'string')
    throw relationErrors.create('PROPERTY_MISSING', { property: 'fk_relation_column_id' });
  const shown = table.columnById.get(relationColumnId);
  const link = linkOf(shown, table);
  const to = link && snapshot.tables.get(link.toTableId);
  if (shown === undefined || link === undefined || to === undefined)
    throw relationErrors.create('LINK_COLUMN_UNKNOWN');
  return { shown, link, to };
}

function resolvedColumn(meta: Meta, to: TableSchema, property: string): ColumnSchema {
  if (typeof meta.columnId !== 'string') throw relationErrors.create('PROPERTY_MISSING', { property });
  const of = to.columnById.get(meta.columnId);
  if (of === undefined) throw relationErrors.create('LINKED_COLUMN_UNKNOWN', { table: to.title });
  return of;
}

/** Converts names of the v1 API to our own. */
function reading(names: Readonly<Record<string, keyof Way>>): ColumnTypeServerPart['fromColOptions'] {
  return (colOptions) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([theirs, ours]) => {
        const value = (colOptions as Meta)[theirs];
        return value === undefined || value === null ? [] : [[ours, value]];
      }),
    );
}

function writing(
  prefix: string,
  names: Readonly<Record<string, keyof Way>>,
): ColumnTypeServerPart['toColOptions'] {
  return (column, table, snapshot) => {
    const way = toldWay(column, table, snapshot);
    const result = snapshot && toldResult(column, snapshot);
    const isThere = linkOfWay(way, table) !== undefined;
    const error = way.error ?? (isThere ? undefined : 'The link of this column is no longer there.');
    return {
      id: prefix + column.id.slice(column.id.indexOf('_') + 1),
      fk_column_id: column.id,
      ...Object.fromEntries(Object.entries(names).map(([theirs, ours]) => [theirs, way[ours] ?? null])),
      deleted: null,
      created_at: column.createdAt,
      updated_at: column.updatedAt,
      ...(error !== undefined && { error }),
      ...(result !== undefined && { result }),
    };
  };
}

/** The options without the ids of columns that are hidden from the caller, or deleted. */
function toldWay(column: ColumnSchema, table: TableSchema, snapshot?: ProjectSnapshot): Way {
  const { columnId, relationColumnId, ...rest } = wayOf(column);
  const to = snapshot?.tables.get(linkOfWay(wayOf(column), table)?.toTableId ?? '');
  const isLinkKnown = relationColumnId !== undefined && table.columnById.has(relationColumnId);
  const isKnown = snapshot === undefined || (columnId !== undefined && to?.columnById.has(columnId) === true);
  return {
    ...rest,
    ...(isLinkKnown && { relationColumnId }),
    ...(isKnown && columnId !== undefined && { columnId }),
  };
}

/** The type of a column's values, and whether a cell holds several, as in a lookup. */
function toldResult(column: ColumnSchema, snapshot: ProjectSnapshot): ComputedResult | undefined {
  const result = resultOf(column, snapshot);
  const isSeveral = column.type === lookup.id && lookedUpOne(column, snapshot) === undefined;
  return result && isSeveral ? { ...result, several: true } : result;
}

/** The column whose values a lookup, or any rollup except a count, uses: they have that column's format. */
function resultOf(column: ColumnSchema, snapshot: ProjectSnapshot, depth = 0): ComputedResult | undefined {
  const { way, of } = reached(column, snapshot);
  if (of === undefined || depth > 16 || isCount(way.function)) return undefined;
  if (of.type === lookup.id || of.type === rollup.id) return resultOf(of, snapshot, depth + 1);
  return { uidt: of.type, storage: of.storage, meta: of.meta ?? {} };
}

/** A lookup is queried like the column that it shows. */
function askedAsShown(column: ColumnSchema, { snapshot, askedAs }: AskedPlace): AskedAs | undefined {
  const { of } = reached(column, snapshot);
  const asked = of && askedAs(of);
  return asked && lookedUpOne(column, snapshot) === undefined ? { ...asked, several: true } : asked;
}

const askedAsCount: AskedAs = { uidt: number.id, storage: 'bigint', meta: {} };

/** A rollup is queried by its result: a number of rows, a value of the column, or a sum of its values. */
function askedAsFigure(column: ColumnSchema, place: AskedPlace): AskedAs | undefined {
  const { way, of } = reached(column, place.snapshot);
  if (of === undefined || way.function === undefined) return undefined;
  if (isCount(way.function)) return askedAsCount;
  const each = place.askedAs(of);
  if (each === undefined) return undefined;
  // Lists also give one value.
  const { uidt, storage, meta } = each;
  const asked = { uidt, storage, meta };
  if (!numberFunctions.includes(way.function)) return asked;
  return askedAsSum(asked, way.function.startsWith('avg') ? 'float' : 'decimal', place);
}

/** Test values: a column with a minimum or maximum, or of whole numbers only, cannot hold them. */
const outOfScale = [-0.5, 1_000_000_000.5];

/** Sums and averages of stars or years are plain numbers, those of money and durations keep their type. */
function askedAsSum({ uidt, meta }: AskedAs, storage: StorageKind, { types }: AskedPlace): AskedAs {
  const type = types.get(uidt);
  const context = {
    id: '',
    title: '',
    required: false,
    storage,
    options: { ...type?.options?.defaults, ...meta },
  };
  const takesAll = outOfScale.every((value) => {
    const read = type?.parse(value, context);
    return read?.ok === true && read.value === value;
  });
  return takesAll ? { uidt, storage, meta } : { uidt: decimal.id, storage, meta: {} };
}

const optionsWithout: ColumnTypeServerPart['optionsWithout'] = (column, deleted) => ({
  ...column.meta,
  error: `Column '${deleted.title}' was deleted`,
});

function first(link: LinkSchema, of: ColumnSchema): Expression {
  return { kind: 'related', linkId: link.id, aggregate: 'first', of: { kind: 'column', columnId: of.id } };
}

/** Whether each row has one value in the column, as far as columns of this plugin are concerned; those of others have. */
function isSingle(of: ColumnSchema, snapshot: ProjectSnapshot): boolean {
  if (of.type === linkToAnotherRecord.id) return nameExpression(of, snapshot) !== undefined;
  return of.type !== lookup.id || lookedUpOne(of, snapshot) !== undefined;
}

/** The expression for sorting and filtering a lookup to one row. */
function lookedUpOne(column: ColumnSchema, snapshot: ProjectSnapshot, depth = 0): Expression | undefined {
  const { link, of } = reached(column, snapshot);
  if (link?.kind !== 'belongsTo' || of === undefined || depth > 16) return undefined;
  if (of.type === lookup.id) return lookedUpOne(of, snapshot, depth + 1) && first(link, of);
  return isSingle(of, snapshot) ? first(link, of) : undefined;
}

const lookupNames = { fk_relation_column_id: 'relationColumnId', fk_lookup_column_id: 'columnId' } as const;

export const lookupType = {
  ...lookup,
  server: {
    bodyKeys: Object.keys(lookupNames),
    fromColOptions: reading(lookupNames),
    toColOptions: writing('lk_', lookupNames),
    toMeta: toldWay,
    resolveOptions(meta, place) {
      assertSame(meta, place, ['relationColumnId', 'columnId']);
      const kept = { ...place.column?.meta, ...meta };
      const { to } = resolvedLink(kept, place);
      resolvedColumn(kept, to, 'fk_lookup_column_id');
      return kept;
    },
    compute: (column, snapshot) => lookedUpOne(column, snapshot),
    askedAs: askedAsShown,
    linked(column, snapshot) {
      const { link, of } = reached(column, snapshot);
      return link && of && { linkId: link.id, columnId: of.id };
    },
    optionsWithout,
  } satisfies ColumnTypeServerPart,
};

const rollupNames = {
  fk_relation_column_id: 'relationColumnId',
  fk_rollup_column_id: 'columnId',
  rollup_function: 'function',
} as const;

export const rollupType = {
  ...rollup,
  server: {
    bodyKeys: Object.keys(rollupNames),
    fromColOptions: reading(rollupNames),
    toColOptions: writing('rl_', rollupNames),
    toMeta: toldWay,
    resolveOptions(meta, place) {
      assertSame(meta, place, ['relationColumnId', 'columnId', 'function']);
      const kept = { ...place.column?.meta, ...meta };
      const { to, link, shown } = resolvedLink(kept, place);
      if (link.kind === 'belongsTo') throw relationErrors.create('ROLLUP_OF_ONE', { link: shown.title });
      const of = resolvedColumn(kept, to, 'fk_rollup_column_id');
      if (!isRollupFunction(kept.function))
        throw relationErrors.create('ROLLUP_FUNCTION_UNKNOWN', { functions: rollupFunctions.join(', ') });
      const kind = place.kindOf(of);
      if (numberFunctions.includes(kept.function) && !numberKinds.has(kind ?? ''))
        throw relationErrors.create('ROLLUP_NEEDS_NUMBERS', { column: of.title, function: kept.function });
      return kept;
    },
    compute(column, snapshot): Expression | undefined {
      const { way, link, of } = reached(column, snapshot);
      if (link === undefined || of === undefined || !isRollupFunction(way.function)) return undefined;
      const value: Expression = { kind: 'column', columnId: of.id };
      return { kind: 'related', linkId: link.id, aggregate: way.function, of: value };
    },
    askedAs: askedAsFigure,
    optionsWithout,
  } satisfies ColumnTypeServerPart,
};

const countNames = { fk_relation_column_id: 'relationColumnId' } as const;

export const countType = {
  ...count,
  server: {
    bodyKeys: Object.keys(countNames),
    fromColOptions: reading(countNames),
    toColOptions: writing('ct_', countNames),
    toMeta: toldWay,
    resolveOptions(meta, place) {
      assertSame(meta, place, ['relationColumnId']);
      const kept = { ...place.column?.meta, ...meta };
      resolvedLink(kept, place);
      return kept;
    },
    compute(column, snapshot): Expression | undefined {
      const { link } = reached(column, snapshot);
      return link && { kind: 'related', linkId: link.id, aggregate: 'count' };
    },
    askedAs: () => askedAsCount,
    optionsWithout,
  } satisfies ColumnTypeServerPart,
};
