import type { FunctionDefinition, FunctionParameter } from '@trellis/sdk/server';
import type { ResultKind, StorageKind } from '@trellis/sdk/shared';
import type { DateUnit } from '../dialects/dates/default.ts';
import { readPattern } from '../dialects/dates/read-pattern.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DoubleFunction, Rounding } from '../dialects/numbers/default.ts';
import type { TextSql } from '../dialects/texts/default.ts';
import { text, type SqlFragment } from '../sql/fragment.ts';
import { inParts } from '../sql/in-parts.ts';
import { asAddend, asDecimal, ofDoubles, type Magnitude } from './magnitudes.ts';
import { commonType, converted, type TypedSql } from './result-types.ts';

/** A function of the host: its entry in the registry, and its SQL through the topics of a dialect. */
export interface HostFunction {
  readonly definition: FunctionDefinition;
  /** The size of its numbers, where that is less than the kind allows. */
  readonly magnitude?: Magnitude;
  sql(dialect: Dialect, values: readonly TypedSql[]): SqlFragment;
}

const words: FunctionParameter = { kinds: ['text', 'string'] };
const number: FunctionParameter = { kinds: ['float'] };
const whole: FunctionParameter = { kinds: ['bigint', 'integer'] };
const moment: FunctionParameter = { kinds: ['datetime', 'date'] };
/** A number of any kind, which is not converted to a double and so loses nothing. */
const anyNumber: FunctionParameter = { kinds: ['decimal', 'float', 'bigint', 'integer'] };
const any: FunctionParameter = { kinds: 'any' };

const absent = text('null');
/** A text that is a literal in the tree, such as a pattern. */
const literalOf = (value: TypedSql | undefined): string =>
  typeof value?.literal === 'string' ? value.literal : '';

interface Signature {
  readonly id: string;
  readonly parameters: readonly FunctionParameter[];
  readonly result: StorageKind | ((values: readonly ResultKind[]) => StorageKind);
  /** Whether the result may be null although no argument is. */
  readonly nullable?: boolean;
}

function hostFunction(
  { id, parameters, result, nullable }: Signature,
  sql: (dialect: Dialect, values: readonly SqlFragment[], typed: readonly TypedSql[]) => SqlFragment,
): HostFunction {
  return {
    definition: {
      id,
      parameters,
      result: (values) => ({
        kind: typeof result === 'string' ? result : result(values),
        nullable: nullable ?? values.some((value) => value.nullable),
      }),
      body: { kind: 'dialect' },
    },
    sql: (dialect, values) =>
      sql(
        dialect,
        values.map((value) => value.sql),
        values,
      ),
  };
}

function doubleFunction(name: DoubleFunction, parameters = [number]): HostFunction {
  const made = hostFunction(
    { id: name.toUpperCase(), parameters, result: 'float', nullable: true },
    ({ numbers }, values) => numbers.double(name, values),
  );
  return { ...made, magnitude: ofDoubles[name] };
}

/** A rounding function. Whole numbers stay whole, and doubles become decimals. */
function rounding(id: string, how: Rounding, hasPlaces: boolean): HostFunction {
  const parameters = [anyNumber, ...(hasPlaces ? [{ ...whole, optional: true }] : [])];
  return hostFunction(
    { id, parameters, result: ([value, places]) => roundedKind(value, places), nullable: true },
    ({ numbers }, [value = absent, places], [typed]) => {
      const type = typed?.type ?? { kind: 'decimal' };
      return isWhole(type.kind) && places === undefined
        ? value
        : numbers.round(type, roundable(typed, value), places ?? text('0'), how);
    },
  );
}

/** Converts doubles to decimals, so that they can be rounded. */
const roundable = (typed: TypedSql | undefined, value: SqlFragment): SqlFragment =>
  typed?.type.kind === 'float' ? asDecimal(typed) : value;

const isWhole = (kind: StorageKind | undefined): boolean => kind === 'integer' || kind === 'bigint';

function roundedKind(value: ResultKind | undefined, places: ResultKind | undefined): StorageKind {
  return value !== undefined && places === undefined && isWhole(value.kind) ? value.kind : 'decimal';
}

function extreme(id: 'LEAST' | 'GREATEST'): HostFunction {
  const which = id === 'LEAST' ? 'least' : 'greatest';
  return hostFunction(
    {
      id,
      parameters: [{ kinds: 'any', rest: true }],
      result: (values) => commonType(values).kind,
      nullable: true,
    },
    (dialect, _values, typed) => {
      const type = commonType(typed.map((value) => value.type));
      const found = (values: readonly SqlFragment[]): SqlFragment =>
        values.length <= mostArguments
          ? dialect.numbers.extreme(which, type, values)
          : found(inParts(values, mostArguments).map(found));
      return found(typed.map((value) => converted(dialect, value, type)));
    },
  );
}

/** The most arguments: SQLite allows 127. */
const mostArguments = 100;

const median: HostFunction = hostFunction(
  {
    id: 'MEDIAN',
    parameters: [{ ...anyNumber, rest: true }],
    result: (values) => (values.length % 2 === 1 ? commonType(values).kind : 'float'),
    nullable: true,
  },
  (dialect, _values, typed) => {
    const type = commonType(typed.map((value) => value.type));
    return dialect.numbers.median(
      type,
      typed.map((value) => {
        const item = { ...value, sql: converted(dialect, value, type) };
        return type.kind === 'float' && typed.length % 2 === 0 ? asAddend(item) : item.sql;
      }),
    );
  },
);

/** A function of texts and counts, implemented by the topic `texts`. */
function textFunction(
  id: string,
  parameters: readonly FunctionParameter[],
  sql: (texts: TextSql, values: readonly SqlFragment[]) => SqlFragment,
  result: StorageKind = 'text',
): HostFunction {
  return hostFunction({ id, parameters, result, nullable: true }, ({ texts }, values) => sql(texts, values));
}

function datePart(unit: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'): HostFunction {
  return hostFunction(
    { id: unit.toUpperCase(), parameters: [moment], result: 'integer' },
    ({ dates }, [value = absent]) => dates.part(unit, value),
  );
}

function dateSum(unit: DateUnit): HostFunction {
  const isTime = unit === 'second' || unit === 'minute' || unit === 'hour';
  const result = ([value]: readonly ResultKind[]): StorageKind =>
    value?.kind === 'date' && !isTime ? 'date' : 'datetime';
  return hostFunction(
    { id: `ADD_${unit.toUpperCase()}S`, parameters: [moment, whole], result, nullable: true },
    ({ dates }, [value = absent, amount = absent], [typed]) =>
      dates.add(typed?.type.kind === 'date' ? 'date' : 'datetime', value, amount, unit),
  );
}

const all: readonly HostFunction[] = [
  hostFunction({ id: 'UPPER', parameters: [words], result: 'text' }, ({ functions }, [value = absent]) =>
    functions.upper(value),
  ),
  hostFunction({ id: 'LOWER', parameters: [words], result: 'text' }, ({ functions }, [value = absent]) =>
    functions.lower(value),
  ),
  hostFunction({ id: 'LENGTH', parameters: [words], result: 'integer' }, ({ functions }, [value = absent]) =>
    functions.length(value),
  ),
  hostFunction(
    { id: 'IS_EMPTY', parameters: [any], result: 'boolean', nullable: false },
    ({ functions, json }, [value = absent], [typed]) => {
      if (typed === undefined) return absent;
      const isEmpty = typed.type.kind === 'json' ? json.isEmpty(value) : functions.isEmpty(typed.type, value);
      return functions.truth(isEmpty);
    },
  ),
  hostFunction({ id: 'TEXT', parameters: [any], result: 'text' }, (dialect, [value = absent], [typed]) =>
    typed ? converted(dialect, typed, { kind: 'text' }) : value,
  ),
  hostFunction(
    { id: 'NUMBER', parameters: [words], result: 'decimal', nullable: true },
    ({ numbers }, [value = absent]) => numbers.parse(value),
  ),
  hostFunction(
    { id: 'ABS', parameters: [anyNumber], result: ([value]) => value?.kind ?? 'decimal' },
    ({ numbers }, [value = absent], [typed]) => numbers.absolute(typed?.type ?? { kind: 'decimal' }, value),
  ),
  hostFunction(
    { id: 'WHOLE', parameters: [anyNumber], result: 'bigint', nullable: true },
    ({ numbers }, [value = absent], [typed]) => numbers.whole(typed?.type ?? { kind: 'decimal' }, value),
  ),
  rounding('ROUND', 'half', true),
  rounding('ROUNDUP', 'up', true),
  rounding('ROUNDDOWN', 'down', true),
  rounding('CEILING', 'ceiling', false),
  rounding('FLOOR', 'floor', false),
  extreme('LEAST'),
  extreme('GREATEST'),
  median,
  ...(['sqrt', 'exp', 'ln', 'log10', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan'] as const).map((name) =>
    doubleFunction(name),
  ),
  doubleFunction('power', [number, number]),
  doubleFunction('atan2', [number, number]),
  textFunction('TRIM', [words], (texts, [value = absent]) => texts.trim(value)),
  textFunction('LEFT', [words, whole], (texts, [value = absent, count = absent]) => texts.left(value, count)),
  textFunction('RIGHT', [words, whole], (texts, [value = absent, count = absent]) =>
    texts.right(value, count),
  ),
  textFunction(
    'SUBSTRING',
    [words, whole, { ...whole, optional: true }],
    (texts, [value = absent, start = absent, count]) => texts.part(value, start, count),
  ),
  textFunction(
    'REPLACE',
    [words, words, words],
    (texts, [value = absent, search = absent, replacement = absent]) =>
      texts.replace(value, search, replacement),
  ),
  textFunction(
    'POSITION',
    [words, words],
    (texts, [value = absent, search = absent]) => texts.position(value, search),
    'integer',
  ),
  textFunction('REPEAT', [words, whole], (texts, [value = absent, count = absent]) =>
    texts.repeat(value, count),
  ),
  ...(['left', 'right'] as const).map((side) =>
    textFunction(
      `PAD_${side.toUpperCase()}`,
      [words, whole, words],
      (texts, [value = absent, length = absent, fill = absent]) => texts.pad(side, value, length, fill),
    ),
  ),
  textFunction(
    'SPLIT_PART',
    [words, words, whole],
    (texts, [value = absent, separator = absent, index = absent]) => texts.splitPart(value, separator, index),
  ),
  hostFunction(
    { id: 'IS_EMAIL', parameters: [words], result: 'boolean', nullable: true },
    ({ functions, texts }, [value = absent]) => functions.truth(texts.isEmail(value)),
  ),
  hostFunction(
    { id: 'MATCHES', parameters: [words, words], result: 'boolean', nullable: true },
    ({ functions, texts }, [value = absent], [, pattern]) =>
      functions.truth(texts.matches(value, literalOf(pattern))),
  ),
  hostFunction(
    { id: 'MATCHED_PART', parameters: [words, words], result: 'text', nullable: true },
    ({ texts }, [value = absent], [, pattern]) => texts.matchedPart(value, literalOf(pattern)),
  ),
  hostFunction(
    { id: 'REPLACE_MATCHES', parameters: [words, words, words], result: 'text', nullable: true },
    ({ texts }, [value = absent, , replacement = absent], [, pattern]) =>
      texts.replaceMatches(value, literalOf(pattern), replacement),
  ),
  textFunction('PROPER', [words], (texts, [value = absent]) => texts.proper(value)),
  textFunction('ENCODE_URL', [words], (texts, [value = absent]) => texts.encodeUrl(value)),
  hostFunction({ id: 'NOW', parameters: [], result: 'datetime' }, ({ dates }) => dates.now()),
  hostFunction({ id: 'TODAY', parameters: [], result: 'date' }, ({ dates }) => dates.today()),
  hostFunction({ id: 'DATE', parameters: [moment], result: 'date' }, ({ dates }, [value = absent]) =>
    dates.dateOf(value),
  ),
  ...(['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map(datePart),
  hostFunction({ id: 'WEEKDAY', parameters: [moment], result: 'integer' }, ({ dates }, [value = absent]) =>
    dates.weekday(value),
  ),
  hostFunction(
    { id: 'MONTH_END', parameters: [moment, whole], result: 'date', nullable: true },
    ({ dates }, [value = absent, months = absent]) => dates.monthEnd(value, months),
  ),
  hostFunction(
    { id: 'FORMAT_DATE', parameters: [moment, words], result: 'text' },
    ({ dates }, [value = absent], [, pattern]) => dates.format(value, literalOf(pattern)),
  ),
  ...(['date', 'datetime'] as const).map((kind) =>
    hostFunction(
      {
        id: kind === 'date' ? 'READ_DATE' : 'READ_MOMENT',
        parameters: [words, words],
        result: kind,
        nullable: true,
      },
      ({ dates }, [value = absent], [, given]) => {
        const pattern = readPattern(literalOf(given));
        return pattern === undefined ? absent : dates.read(kind, value, pattern);
      },
    ),
  ),
  hostFunction(
    { id: 'MONTHS_BETWEEN', parameters: [moment, moment], result: 'integer' },
    ({ dates }, [from = absent, to = absent]) => dates.monthsBetween(from, to),
  ),
  hostFunction({ id: 'WEEK', parameters: [moment], result: 'integer' }, ({ dates }, [value = absent]) =>
    dates.week(value),
  ),
  hostFunction(
    { id: 'SECONDS_BETWEEN', parameters: [moment, moment], result: 'bigint' },
    ({ dates }, [from = absent, to = absent]) => dates.secondsBetween(from, to),
  ),
  ...(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map(dateSum),
  hostFunction(
    { id: 'DAYS_BETWEEN', parameters: [moment, moment], result: 'integer' },
    ({ dates }, [from = absent, to = absent]) => dates.daysBetween(from, to),
  ),
];

/** The functions that every dialect has, by id. Trees call them through the registry `functions`. */
export const hostFunctions: ReadonlyMap<string, HostFunction> = new Map(
  all.map((one) => [one.definition.id, one]),
);
