import type { FormulaTakes } from '@trellis/sdk/shared';
import { FormulaError } from './problems.ts';
import { empty, isTime, not, toCondition, toText, whole, type Kind, type Typed } from './typed.ts';
import { momentOf, rounded } from './values.ts';

/** The part that needs a value, for the error when it gets another one. */
export interface Asker {
  readonly by: 'sign' | 'function';
  readonly values: Readonly<Record<string, string | number>>;
}

export const operand = (operator: string): Asker => ({ by: 'sign', values: { operator } });

/** The names of kinds in messages. */
export const kindWords: Readonly<Record<Kind, string>> = {
  number: 'number',
  text: 'text',
  date: 'date',
  datetime: 'date and time',
  boolean: 'yes or no',
  nothing: 'empty value',
  any: 'value of another kind',
};

const orderedWords = { both: 'number or date' };
const unquotedWords = { text: 'text that is computed' };

/** How messages describe a value given instead of a quoted text. */
function givenInstead({ kind, literal }: Typed): string {
  if (typeof literal === 'string') return `"${literal}"`;
  // A number or a boolean that was converted to a text.
  if (typeof literal === 'number') return kindWords.number;
  if (typeof literal === 'boolean') return kindWords.boolean;
  return kind === 'text' ? unquotedWords.text : kindWords[kind];
}

/** A function's argument by its number, for messages. */
export const argumentOf = (name: string, parameter: string, index: number) =>
  ({ by: 'function', values: { function: name, parameter, place: index + 1 } }) as const;

/** The text of a quoted literal. @throws FormulaError for any other value. */
export function quotedText(item: Typed, { values }: Asker): string {
  if (typeof item.literal !== 'string')
    throw new FormulaError('functionTakesQuoted', item, { ...values, given: givenInstead(item) });
  return item.literal;
}

export function unfit(item: Typed, expected: string, { by, values }: Asker): FormulaError {
  const all = { ...values, expected, given: kindWords[item.kind] };
  return by === 'sign'
    ? new FormulaError('signTakes', item, all)
    : new FormulaError('functionTakes', item, all);
}

/** A value converted to what its receiver needs. */
export function fitted(item: Typed, takes: FormulaTakes, asker: Asker): Typed {
  switch (takes) {
    case 'any':
      return item;
    case 'text':
      return toText(item);
    case 'condition':
      return toCondition(item);
    case 'number':
      return asNumber(item, asker);
    case 'whole':
      return asWhole(asNumber(item, asker));
    case 'moment':
      return asMoment(item, asker);
    case 'ordered': {
      if (item.kind === 'number' || item.kind === 'any' || isTime(item.kind)) return item;
      if (item.kind === 'nothing') return item;
      const moment = item.kind === 'text' ? literalMoment(item) : undefined;
      if (moment !== undefined) return moment;
      throw unfit(item, orderedWords.both, asker);
    }
    default:
      return asWord(item, takes, asker);
  }
}

function asNumber(item: Typed, asker: Asker): Typed {
  if (item.kind === 'number' || item.kind === 'any') return item;
  if (item.kind === 'nothing') return { ...item, kind: 'number', expression: empty('number') };
  if (item.kind !== 'boolean') throw unfit(item, 'number', asker);
  const { predicate, run } = toCondition(item);
  return {
    ...item,
    kind: 'number',
    expression: {
      kind: 'case',
      branches: [
        { when: predicate, value: whole(1) },
        { when: not(predicate), value: whole(0) },
      ],
    },
    run: (row) => {
      const value = run(row);
      return value === null ? null : Number(value);
    },
  };
}

function asWhole(item: Typed): Typed {
  if (typeof item.literal === 'number' && Number.isInteger(item.literal)) return item;
  return {
    ...item,
    expression: { kind: 'call', function: 'WHOLE', arguments: [item.expression] },
    run: (row) => {
      const value = item.run(row);
      return value === null || Math.abs(Number(value)) >= 1e15 ? null : rounded(Number(value), 0, 'down');
    },
  };
}

export function asMoment(item: Typed, asker: Asker): Typed {
  if (isTime(item.kind) || item.kind === 'any') return item;
  if (item.kind === 'nothing') return { ...item, kind: 'datetime', expression: empty('datetime') };
  const moment = literalMoment(item);
  if (moment === undefined) throw unfit(item, 'date', asker);
  return moment;
}

/** A date from a quoted text. */
function literalMoment(item: Typed): Typed | undefined {
  const moment = typeof item.literal === 'string' ? momentOf(item.literal) : undefined;
  if (moment === undefined) return undefined;
  const { kind, text } = moment;
  return {
    start: item.start,
    end: item.end,
    kind,
    expression: { kind: 'literal', value: text, storage: kind },
    run: () => moment,
  };
}

/** One word of a list; a trailing `s` is ignored. */
function asWord(item: Typed, list: readonly string[], { values }: Asker): Typed {
  const given = typeof item.literal === 'string' ? item.literal.trim().toLowerCase() : undefined;
  const word = list.find((one) => one === given || `${one}s` === given);
  if (word === undefined)
    throw new FormulaError('functionTakesOneOf', item, {
      ...values,
      list: list.map((one) => `"${one}"`).join(', '),
      given: givenInstead(item),
    });
  return { ...item, literal: word, run: () => word };
}
