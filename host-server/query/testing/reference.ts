import { lowerCase, type Expression, type Predicate, type StorageKind } from '@trellis/sdk/shared';
import { links, lists, type Tables } from './library.ts';
import {
  aggregated,
  all,
  arithmetic,
  call,
  compare,
  counted,
  inKind,
  isLike,
  not,
  textOf,
  typed,
  type Truth,
  type Value,
} from './reference-values.ts';
import { columnId } from './tables.ts';

/** A row of the fixtures. */
export interface Place {
  readonly table: string;
  readonly index: number;
  /** The current value of a list column while a tree is evaluated for each of its values. */
  readonly each?: { readonly columnId: string; readonly value: Value };
}

/** Evaluates trees in plain JavaScript over rows in memory. It shares no code with the compiler. */
export function createReference(tables: Tables) {
  function cellOf({ table, index, each }: Place, id: string): Value {
    if (each?.columnId === id) return each.value;
    const fixture = tables[table];
    const names = Object.keys(fixture?.columns ?? {});
    const name = names.find((candidate) => columnId(table, candidate) === id);
    if (fixture === undefined || name === undefined)
      throw new Error(`The table '${table}' has no column '${id}'.`);
    return typed(fixture.columns[name] ?? 'text', fixture.rows[index]?.[names.indexOf(name)] ?? null);
  }

  /** The rows that a link leads to from a row, in the order of their keys. */
  function linkedRows(place: Place, linkId: string, where: Predicate | undefined): readonly Place[] {
    const link = links.find((candidate) => candidate.id === linkId);
    if (link === undefined) throw new Error(`No link '${linkId}'.`);
    const own = cellOf(place, link.columnIds[0]);
    const rowsOf = (table: string) =>
      (tables[table]?.rows ?? []).map((_, index): Place => ({ table, index }));
    const meets = (left: Value, right: Value) =>
      left !== undefined && right !== undefined && compare(left, right) === 0;
    const { through } = link;
    const there = rowsOf(link.toTableId).filter((other) =>
      through === undefined
        ? meets(own, cellOf(other, link.toColumnIds[0]))
        : rowsOf(through.tableId).some(
            (middle) =>
              meets(own, cellOf(middle, through.columnIds[0])) &&
              meets(cellOf(middle, through.toColumnIds[0]), cellOf(other, link.toColumnIds[0])),
          ),
    );
    return where === undefined ? there : there.filter((other) => evaluatePredicate(where, other) === true);
  }

  /** The value of a tree for a row. */
  function evaluate(of: Expression, place: Place): Value {
    switch (of.kind) {
      case 'column':
        return cellOf(place, of.columnId);
      case 'literal':
        return typed(of.storage, of.value);
      case 'arithmetic':
        return arithmetic(of.operator, evaluate(of.left, place), evaluate(of.right, place), kindOf(of));
      case 'concat':
        return { kind: 'text', value: of.items.map((item) => textOf(evaluate(item, place))).join('') };
      case 'case': {
        const branch = of.branches.find(({ when }) => evaluatePredicate(when, place) === true);
        const chosen = branch?.value ?? of.otherwise;
        const value = chosen === undefined ? undefined : evaluate(chosen, place);
        return value && inKind(value, kindOf(of));
      }
      case 'test': {
        const truth = evaluatePredicate(of.predicate, place);
        return truth === undefined ? undefined : { kind: 'boolean', value: truth };
      }
      case 'related':
        return related(of, linkedRows(place, of.linkId, of.where));
      case 'values':
        return ofList(of, place);
      case 'call':
        return call(
          of.function,
          of.arguments.map((argument) => evaluate(argument, place)),
        );
    }
  }

  /** The kind of a number, decided by the tree and not only by the value: a case of 1 and 0.5 gives decimals. */
  function kindOf(of: Expression): StorageKind {
    const common = (...kinds: StorageKind[]): StorageKind =>
      (['float', 'decimal', 'bigint', 'integer'] as const).find((kind) => kinds.includes(kind)) ??
      kinds[0] ??
      'text';
    switch (of.kind) {
      case 'column': {
        const list = lists[of.columnId];
        if (list !== undefined) return kindOf({ kind: 'column', columnId: list.columnId });
        const [table = '', name = ''] = of.columnId.split('.');
        return tables[table]?.columns[name] ?? 'text';
      }
      case 'literal':
        return of.storage;
      case 'arithmetic': {
        const kind = of.operator === 'divide' ? 'float' : common(kindOf(of.left), kindOf(of.right));
        if (kind === 'integer' || kind === 'bigint') return 'bigint';
        return kind === 'float' && of.operator !== 'modulo' ? 'float' : 'decimal';
      }
      case 'case':
        return common(
          ...of.branches.map(({ value }) => kindOf(value)),
          ...(of.otherwise === undefined ? [] : [kindOf(of.otherwise)]),
        );
      case 'values':
      case 'related': {
        if (of.aggregate === 'join') return 'text';
        if (of.aggregate === 'count' || of.aggregate === 'countDistinct' || of.of === undefined)
          return 'bigint';
        const kind = kindOf(of.of);
        return (of.aggregate === 'sum' || of.aggregate === 'sumDistinct') && kind !== 'float'
          ? 'decimal'
          : kind;
      }
      case 'call':
        return /^ADD_/.test(of.function) ? 'date' : /^(UPPER|LOWER)$/.test(of.function) ? 'text' : 'integer';
      case 'concat':
        return 'text';
      case 'test':
        return 'boolean';
    }
  }

  function related(
    { aggregate, of }: Extract<Expression, { kind: 'related' }>,
    places: readonly Place[],
  ): Value {
    if (of === undefined) return counted(places.length);
    const all = places.flatMap((place) => valuesOf(of, place));
    if (aggregate === 'first') return all[0];
    const filled = all.filter((value) => value !== undefined);
    return aggregate === 'count' ? counted(filled.length) : aggregated(aggregate, filled);
  }

  function ofList(
    { columnId, aggregate, of, where, separator }: Extract<Expression, { kind: 'values' }>,
    place: Place,
  ): Value {
    const cells = valuesOf({ kind: 'column', columnId }, place);
    const all = cells
      .map((value): Place => ({ ...place, each: { columnId, value } }))
      .filter((each) => where === undefined || evaluatePredicate(where, each) === true)
      .map((each) => evaluate(of, each));
    if (aggregate === 'join') {
      const before = separator === undefined ? '' : textOf(evaluate(separator, place));
      const texts = all.map((value) => before + textOf(value));
      return texts.length === 0 ? undefined : { kind: 'text', value: texts.join('') };
    }
    const filled = all.filter((value) => value !== undefined);
    return aggregate === 'count' ? counted(filled.length) : aggregated(aggregate, filled);
  }

  /** The values of a tree for a row; a list column has several. */
  function valuesOf(of: Expression, place: Place): readonly Value[] {
    const list = of.kind === 'column' ? lists[of.columnId] : undefined;
    if (list === undefined) return [evaluate(of, place)];
    const value: Expression = { kind: 'column', columnId: list.columnId };
    return linkedRows(place, list.linkId, undefined).flatMap((linked) => valuesOf(value, linked));
  }

  /** Whether a condition holds for a row; undefined where it is neither true nor false. */
  function evaluatePredicate(of: Predicate, place: Place): Truth {
    const value = (item: Expression) => evaluate(item, place);
    const compared = (left: Value, right: Value, test: (order: number) => boolean): Truth =>
      left === undefined || right === undefined ? undefined : test(compare(left, right));
    switch (of.kind) {
      case 'always':
        return of.value;
      case 'and':
        return all(of.items.map((item) => evaluatePredicate(item, place)));
      case 'or':
        return not(all(of.items.map((item) => not(evaluatePredicate(item, place)))));
      case 'not':
        return not(evaluatePredicate(of.item, place));
      case 'compare': {
        const tests = {
          eq: (order: number) => order === 0,
          neq: (order: number) => order !== 0,
          gt: (order: number) => order > 0,
          gte: (order: number) => order >= 0,
          lt: (order: number) => order < 0,
          lte: (order: number) => order <= 0,
        };
        return compared(value(of.left), value(of.right), tests[of.comparison]);
      }
      case 'in': {
        const item = value(of.item);
        if (of.values.length === 0) return false;
        const hits = of.values.map((choice) => compared(item, value(choice), (order) => order === 0));
        return hits.includes(true) ? true : hits.includes(undefined) ? undefined : false;
      }
      case 'between':
        return all([
          compared(value(of.item), value(of.low), (order) => order >= 0),
          compared(value(of.item), value(of.high), (order) => order <= 0),
        ]);
      case 'like': {
        const item = value(of.item);
        return item === undefined ? undefined : isLike(textOf(item), of.pattern);
      }
      case 'contains': {
        const item = value(of.item);
        return item === undefined ? undefined : lowerCase(textOf(item)).includes(lowerCase(of.text));
      }
      case 'isNull':
        return value(of.item) === undefined;
      case 'some':
        return linkedRows(place, of.linkId, of.where).length > 0;
      case 'call':
        return value(of)?.value === true;
    }
  }

  return { evaluate, evaluatePredicate, linkedRows };
}
