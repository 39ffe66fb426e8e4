import type { Expression, Predicate } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { library, links, lists } from './library.ts';
import { columnId } from './tables.ts';

export const column = (table: string, name: string): Expression => ({
  kind: 'column',
  columnId: columnId(table, name),
});
const whole = (value: number): Expression => ({ kind: 'literal', value, storage: 'integer' });
const words = (value: string): Expression => ({ kind: 'literal', value, storage: 'text' });

/** Trees over one table, by the kind of their values; `links` says where they may lead. */
export interface Trees {
  readonly number: fc.Arbitrary<Expression>;
  readonly text: fc.Arbitrary<Expression>;
  readonly date: fc.Arbitrary<Expression>;
  readonly predicate: fc.Arbitrary<Predicate>;
}

/** Trees of all kinds over a table of the library, at most `depth` levels deep. */
export function trees(table: string, depth: number): Trees {
  const columns = Object.entries(library[table]?.columns ?? {});
  const ofKind = (...kinds: readonly string[]) =>
    columns.filter(([, kind]) => kinds.includes(kind)).map(([name]) => column(table, name));
  const pick = (items: readonly Expression[], other: Expression) =>
    fc.constantFrom(...(items.length === 0 ? [other] : items));
  const numberLeaf = fc.oneof(
    pick(ofKind('integer', 'decimal', 'float'), whole(1)),
    fc.integer({ min: -20, max: 20 }).map(whole),
    fc
      .constantFrom('0.5', '-1.25', '0.000001', '1000000.5')
      .map((value): Expression => ({ kind: 'literal', value, storage: 'decimal' })),
    fc
      .constantFrom(0.5, -0.25, 1024)
      .map((value): Expression => ({ kind: 'literal', value, storage: 'float' })),
  );
  const textLeaf = fc.oneof(
    pick(ofKind('string', 'text'), words('a')),
    fc.constantFrom('', 'a', 'B', 'Äpfel', 'ende ', '東京', 'б', '100%').map(words),
  );
  const dateLeaf = fc.oneof(
    pick(ofKind('date'), { kind: 'literal', value: '2024-02-29', storage: 'date' }),
    fc
      .constantFrom('2000-01-01', '2024-02-29', '1999-12-31')
      .map((value): Expression => ({ kind: 'literal', value, storage: 'date' })),
  );
  const booleanLeaf = pick(ofKind('boolean'), { kind: 'literal', value: true, storage: 'boolean' });
  if (depth === 0) {
    const predicate = fc.oneof(
      fc.boolean().map((value): Predicate => ({ kind: 'always', value })),
      numberLeaf.map((item): Predicate => ({ kind: 'isNull', item })),
    );
    return { number: numberLeaf, text: textLeaf, date: dateLeaf, predicate };
  }
  const inner = trees(table, depth - 1);
  const leads = links.filter((link) => link.tableId === table);
  const beyond = leads.map((link) => ({ link, trees: trees(link.toTableId, depth - 1) }));
  const choice = (values: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc
      .record({
        branches: fc.array(fc.record({ when: inner.predicate, value: values }), {
          minLength: 1,
          maxLength: 2,
        }),
        otherwise: fc.option(values, { nil: undefined }),
      })
      .map(({ branches, otherwise }) => ({ kind: 'case', branches, ...(otherwise && { otherwise }) }));
  const call = (name: string, ...values: readonly fc.Arbitrary<Expression>[]): fc.Arbitrary<Expression> =>
    fc.tuple(...values).map((args) => ({ kind: 'call', function: name, arguments: args }));
  const related = (
    kind: 'number' | 'text' | 'date',
    aggregates: readonly Extract<Expression, { kind: 'related' }>['aggregate'][],
  ): readonly fc.Arbitrary<Expression>[] =>
    beyond.map(({ link, trees: there }) =>
      fc
        .constantFrom(...aggregates)
        .chain((aggregate) =>
          fc.record({
            aggregate: fc.constant(aggregate),
            of: aggregate === 'first' ? there[kind] : valuesThere(link.toTableId, kind, there[kind]),
            where: fc.option(there.predicate, { nil: undefined }),
          }),
        )
        .map(({ where, ...rest }) => ({
          kind: 'related',
          linkId: link.id,
          ...rest,
          ...(where && { where }),
        })),
    );
  const number = fc.oneof(
    numberLeaf,
    fc
      .record({
        operator: fc.constantFrom(...(['add', 'subtract', 'multiply', 'modulo'] as const)),
        left: inner.number,
        right: numberLeaf,
      })
      .map((node): Expression => ({ kind: 'arithmetic', ...node })),
    choice(inner.number),
    call('LENGTH', inner.text),
    fc.oneof(...(['YEAR', 'MONTH', 'DAY', 'WEEKDAY'] as const).map((name) => call(name, inner.date))),
    call('DAYS_BETWEEN', inner.date, inner.date),
    ...ofLists(table, 'number', ['count', 'countDistinct', 'sum', 'sumDistinct', 'min', 'max']),
    ...related('number', ['count', 'sum', 'min', 'max', 'first', 'countDistinct', 'sumDistinct']),
  );
  const text = fc.oneof(
    textLeaf,
    fc
      .array(fc.oneof(inner.text, inner.text, ofWhole(table), dateLeaf, booleanLeaf), { maxLength: 3 })
      .map((items): Expression => ({ kind: 'concat', items })),
    choice(inner.text),
    call('UPPER', inner.text),
    call('LOWER', inner.text),
    ...ofLists(table, 'text', ['min', 'max', 'join']),
    ...related('text', ['min', 'max', 'first']),
  );
  const date = fc.oneof(
    dateLeaf,
    choice(inner.date),
    fc.oneof(
      ...(['ADD_DAYS', 'ADD_WEEKS', 'ADD_MONTHS', 'ADD_QUARTERS', 'ADD_YEARS'] as const).map((name) =>
        call(name, inner.date, fc.integer({ min: -30, max: 30 }).map(whole)),
      ),
    ),
    ...ofLists(table, 'date', ['min', 'max']),
    ...related('date', ['min', 'max', 'first']),
  );
  const pair = fc.oneof(
    fc.tuple(inner.number, inner.number, inner.number),
    fc.tuple(inner.text, inner.text, inner.text),
    fc.tuple(inner.date, inner.date, inner.date),
  );
  const predicate = fc.oneof(
    fc
      .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), pair)
      .map(
        ([comparison, [left, right]]): Predicate =>
          ({ kind: 'compare', comparison, left, right }) as Predicate,
      ),
    pair.map(([item, low, high]): Predicate => ({ kind: 'between', item, low, high })),
    pair.map(([item, ...values]): Predicate => ({ kind: 'in', item, values })),
    fc.oneof(inner.number, inner.text, inner.date).map((item): Predicate => ({ kind: 'isNull', item })),
    fc
      .tuple(inner.text, fc.constantFrom('%', 'a%', '%E%', 'ä%', '_', '東%', '%!', '100%'))
      .map(([item, pattern]): Predicate => ({ kind: 'like', item, pattern })),
    fc
      .tuple(inner.text, fc.constantFrom('a', 'E', 'ä', '_', '東', '%', '!', '100%', ''))
      .map(([item, words]): Predicate => ({ kind: 'contains', item, text: words })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(inner.predicate, { maxLength: 3 }))
      .map(([kind, items]): Predicate => ({ kind, items })),
    inner.predicate.map((item): Predicate => ({ kind: 'not', item })),
    inner.text.map((value): Predicate => ({ kind: 'call', function: 'IS_EMPTY', arguments: [value] })),
    ...beyond.map(({ link, trees: there }) =>
      fc
        .option(there.predicate, { nil: undefined })
        .map((where): Predicate => ({ kind: 'some', linkId: link.id, ...(where && { where }) })),
    ),
  );
  return { number, text, date, predicate };
}

const kindsOf = { number: ['integer', 'decimal', 'float'], text: ['string', 'text'], date: ['date'] };

/** The columns of a table whose cells hold several values of a kind. */
const listsOf = (table: string, kind: keyof typeof kindsOf): readonly Expression[] =>
  Object.keys(lists)
    .filter((id) => id.startsWith(`${table}.`) && kindsOf[kind].includes(kindOfList(id)))
    .map((id) => ({ kind: 'column', columnId: id }));

/** Values of a kind in linked rows: one in each, or several from list columns. */
function valuesThere(
  table: string,
  kind: keyof typeof kindsOf,
  one: fc.Arbitrary<Expression>,
): fc.Arbitrary<Expression> {
  const several = listsOf(table, kind);
  return several.length === 0 ? one : fc.oneof(one, fc.constantFrom(...several));
}

/** Values computed from all values of a list cell. */
function ofLists(
  table: string,
  kind: keyof typeof kindsOf,
  aggregates: readonly Extract<Expression, { kind: 'values' }>['aggregate'][],
): readonly fc.Arbitrary<Expression>[] {
  return listsOf(table, kind).flatMap((of) =>
    of.kind !== 'column'
      ? []
      : fc
          .record({
            aggregate: fc.constantFrom(...aggregates),
            of: fc.constantFrom<Expression>(
              of,
              ...(kind === 'number'
                ? [{ kind: 'arithmetic', operator: 'add', left: of, right: whole(1) } as const]
                : []),
            ),
            isFilled: fc.boolean(),
            separator: fc.constantFrom(words(', '), words(''), column(table, 'id')),
          })
          .map(({ isFilled, aggregate, separator, ...rest }): Expression => ({
            kind: 'values',
            columnId: of.columnId,
            aggregate,
            ...rest,
            ...(isFilled && { where: { kind: 'not', item: { kind: 'isNull', item: of } } }),
            ...(aggregate === 'join' && { separator }),
          })),
  );
}

function kindOfList(id: string): string {
  const list = lists[id];
  if (list !== undefined) return kindOfList(list.columnId);
  const [table = '', name = ''] = id.split('.');
  return library[table]?.columns[name] ?? '';
}

function ofWhole(table: string): fc.Arbitrary<Expression> {
  return fc.constant(library[table]?.columns['whole'] === undefined ? whole(7) : column(table, 'whole'));
}
