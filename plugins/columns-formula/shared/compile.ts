import type { StorageKind } from '@trellis/sdk/shared';
import {
  countsOf,
  parameterAt,
  signatureOf,
  type FormulaFunction,
  type FormulaPlace,
  type Takes,
} from './functions/define.ts';
import { formulaFunctions } from './functions/index.ts';
import { negative } from './functions/numbers.ts';
import type { BinaryOperator, FormulaNode } from './parse.ts';
import { FormulaError } from './problems.ts';
import { columnByTitle } from './references.ts';
import {
  arithmetic,
  compare,
  empty,
  isNull,
  isTime,
  not,
  order,
  toCondition,
  toText,
  truth,
  whole,
  words,
  type FormulaRow,
  type Kind,
  type Typed,
} from './typed.ts';
import {
  concatenated,
  momentAt,
  momentOf,
  plainDigits,
  rounded,
  remainder,
  textOf,
  timeOf,
  isMoment,
  type Value,
} from './values.ts';

/** A column that a formula may name. */
export interface FormulaColumn {
  readonly id: string;
  readonly title: string;
  /** Undefined where the column cannot be read: a link, or a computed column that is broken. */
  readonly kind: Kind | undefined;
}

/** The columns that a formula is about. */
export interface FormulaTable extends FormulaPlace {
  readonly columns: readonly FormulaColumn[];
  /** What a column was called that is no longer there. */
  readonly titleOfGone?: (id: string) => string | undefined;
}

/**
 * Finds out what each part of a formula is, and what the database computes for it.
 *
 * @throws FormulaError that names what does not fit and where.
 */
export function compileFormula(node: FormulaNode, table: FormulaTable): Typed {
  switch (node.kind) {
    case 'number':
      return number(node);
    case 'text':
      return {
        ...placeOf(node),
        kind: 'text',
        literal: node.value,
        expression: words(node.value),
        run: () => node.value,
      };
    case 'constant':
      return constant(node);
    case 'column':
      return column(node, table);
    case 'negative': {
      const item = fitted(compileFormula(node.item, table), 'number', operand('-'));
      const value = (row: FormulaRow) => negated(item.run(row));
      return { ...placeOf(node), kind: 'number', expression: negative(item.expression), run: value };
    }
    case 'binary':
      return binary(node, compileFormula(node.left, table), compileFormula(node.right, table));
    case 'call':
      return called(node, table);
  }
}

type NodeOf<Kind extends FormulaNode['kind']> = Extract<FormulaNode, { kind: Kind }>;

const placeOf = ({ start, end }: FormulaNode) => ({ start, end });
const negated = (value: Value): Value => (value === null ? null : 0 - Number(value));

function number(node: NodeOf<'number'>): Typed {
  const digits = plainDigits(node.value);
  const isWhole = !digits.includes('.') && digits.length <= 15;
  const storage: StorageKind = !isWhole
    ? 'decimal'
    : Math.abs(Number(digits)) < 2 ** 31
      ? 'integer'
      : 'bigint';
  const value = Number(digits);
  return {
    ...placeOf(node),
    kind: 'number',
    literal: value,
    expression: { kind: 'literal', value: isWhole ? value : digits, storage },
    run: () => value,
  };
}

function constant(node: NodeOf<'constant'>): Typed {
  const { value } = node;
  if (value === null)
    return {
      ...placeOf(node),
      kind: 'nothing',
      literal: null,
      expression: empty('nothing'),
      run: () => null,
    };
  return { ...placeOf(node), kind: 'boolean', literal: value, expression: truth(value), run: () => value };
}

function column(node: NodeOf<'column'>, table: FormulaTable): Typed {
  const found =
    node.by === 'id'
      ? table.columns.find(({ id }) => id === node.name)
      : columnByTitle(table.columns, node.name);
  if (found === undefined) throw missing(node, table);
  const { id, title, kind } = found;
  if (kind === undefined)
    throw new FormulaError('columnWithoutValues', node, {
      column: title,
    });
  return {
    ...placeOf(node),
    kind,
    expression: { kind: 'column', columnId: id },
    run: (row) => row.cell(id),
  };
}

function missing(node: NodeOf<'column'>, { titleOfGone }: FormulaTable): FormulaError {
  const gone = node.by === 'id' ? titleOfGone?.(node.name) : undefined;
  return gone === undefined
    ? new FormulaError('noColumn', node, { column: node.name })
    : new FormulaError('columnDeleted', node, { column: gone });
}

/** Who asks for a value, for the message when it gets another one. */
interface Asker {
  readonly by: 'sign' | 'function';
  readonly values: Readonly<Record<string, string>>;
}

const operand = (operator: string): Asker => ({ by: 'sign', values: { operator } });

/** The words by which messages call kinds. */
const kindWords: Readonly<Record<Kind, string>> = {
  number: 'number',
  text: 'text',
  date: 'date',
  datetime: 'date and time',
  boolean: 'yes or no',
  nothing: 'empty value',
  any: 'value of another kind',
};

const orderedWords = { both: 'number or date' };

function unfit(item: Typed, expected: string, { by, values }: Asker): FormulaError {
  const all = { ...values, expected, given: kindWords[item.kind] };
  return by === 'sign'
    ? new FormulaError('signTakes', item, all)
    : new FormulaError('functionTakes', item, all);
}

/** A value as what takes it needs it. */
function fitted(item: Typed, takes: Takes, asker: Asker): Typed {
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

function asMoment(item: Typed, asker: Asker): Typed {
  if (isTime(item.kind) || item.kind === 'any') return item;
  if (item.kind === 'nothing') return { ...item, kind: 'datetime', expression: empty('datetime') };
  const moment = literalMoment(item);
  if (moment === undefined) throw unfit(item, 'date', asker);
  return moment;
}

/** A date that was written in quotes. */
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

/** One word of a list; with an `s` at its end it means the same. */
function asWord(item: Typed, list: readonly string[], { values }: Asker): Typed {
  const given = typeof item.literal === 'string' ? item.literal.trim().toLowerCase() : undefined;
  const word = list.find((one) => one === given || `${one}s` === given);
  if (word === undefined)
    throw new FormulaError('functionTakesOneOf', item, {
      ...values,
      list: list.map((one) => `"${one}"`).join(', '),
    });
  return { ...item, literal: word, run: () => word };
}

const arithmetics = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;
const comparisons = { '=': 'eq', '!=': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;

function binary(node: NodeOf<'binary'>, left: Typed, right: Typed): Typed {
  const { operator } = node;
  if (operator === '&') return joined(node, toText(left), toText(right));
  if (isComparison(operator)) return compared(node, operator, left, right);
  const sides = [left, right].map((side) => fitted(side, 'number', operand(operator)));
  const [a = left, b = right] = sides;
  return {
    ...placeOf(node),
    kind: 'number',
    expression: arithmetic(arithmetics[operator], a.expression, b.expression),
    run(row) {
      const [x, y] = [a.run(row), b.run(row)];
      return x === null || y === null ? null : calculated(operator, Number(x), Number(y));
    },
  };
}

function calculated(operator: keyof typeof arithmetics, left: number, right: number): number | null {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? null : left / right;
    case '%':
      return remainder(left, right);
  }
}

function joined(node: NodeOf<'binary'>, left: Typed, right: Typed): Typed {
  return {
    ...placeOf(node),
    kind: 'text',
    expression: { kind: 'concat', items: [left.expression, right.expression] },
    run: (row) => concatenated([left, right].map((side) => textOf(side.run(row)) ?? '')),
  };
}

function isComparison(operator: BinaryOperator): operator is keyof typeof comparisons {
  return operator in comparisons;
}

function compared(
  node: NodeOf<'binary'>,
  operator: keyof typeof comparisons,
  left: Typed,
  right: Typed,
): Typed {
  const isSame = operator === '=' || operator === '!=';
  const blank = isSame ? [left, right].find(({ kind }) => kind === 'nothing') : undefined;
  if (blank !== undefined) {
    const other = blank === left ? right : left;
    const missing = isNull(other.expression);
    const predicate = operator === '=' ? missing : not(missing);
    return {
      ...placeOf(node),
      kind: 'boolean',
      predicate,
      expression: { kind: 'test', predicate },
      run: (row) => (other.run(row) === null) === (operator === '='),
    };
  }
  const [a, b] = comparable(left, right, operator);
  const predicate = compare(comparisons[operator], a.expression, b.expression);
  return {
    ...placeOf(node),
    kind: 'boolean',
    predicate,
    expression: { kind: 'test', predicate },
    run(row) {
      const found = order(a.run(row), b.run(row));
      return found === null ? null : holds(operator, found);
    },
  };
}

function holds(operator: keyof typeof comparisons, found: number): boolean {
  switch (operator) {
    case '=':
      return found === 0;
    case '!=':
      return found !== 0;
    case '<':
      return found < 0;
    case '<=':
      return found <= 0;
    case '>':
      return found > 0;
    case '>=':
      return found >= 0;
  }
}

/** Two values that can be compared: of one kind, or a date and one in quotes. */
function comparable(left: Typed, right: Typed, operator: string): readonly [Typed, Typed] {
  if (left.kind === 'nothing' || left.kind === 'any') return [left, right];
  if (right.kind === 'nothing' || right.kind === 'any' || left.kind === right.kind) return [left, right];
  if (isTime(left.kind) && isTime(right.kind)) return [left, right];
  if (isTime(left.kind) && right.kind === 'text') return [left, asMoment(right, operand(operator))];
  if (isTime(right.kind) && left.kind === 'text') return [asMoment(left, operand(operator)), right];
  throw unfit(right, kindWords[left.kind], operand(operator));
}

function called(node: NodeOf<'call'>, table: FormulaTable): Typed {
  const definition = formulaFunctions.get(node.name);
  if (definition === undefined) throw new FormulaError('noFunction', node.at, { function: node.name });
  const { least, most } = countsOf(definition);
  const count = node.items.length;
  if (count < least || count > most)
    throw new FormulaError('otherArguments', node, {
      function: definition.name,
      signature: signatureOf(definition),
    });
  const given = node.items.map((item, index) => argument(definition, compileFormula(item, table), index));
  const items = definition.prepare?.(given) ?? given;
  const predicate = definition.holds?.(items);
  const kind = typeof definition.result === 'string' ? definition.result : definition.result(items);
  return {
    ...placeOf(node),
    kind,
    ...(predicate !== undefined && { predicate }),
    ...(kind === 'nothing' && { literal: null }),
    expression: definition.build(items, table),
    run(row) {
      const values = items.map((item) => item.run(row));
      if (definition.takesEmpty !== true && values.includes(null)) return null;
      return definition.run(values, row);
    },
  };
}

function argument(definition: FormulaFunction, item: Typed, index: number): Typed {
  const parameter = parameterAt(definition, index);
  if (parameter === undefined)
    throw new Error(`The number of arguments of ${definition.name} was not checked.`);
  const { name, takes } = parameter;
  return fitted(item, takes, { by: 'function', values: { function: definition.name, parameter: name } });
}

/** A cell of the API as formulas take it. */
export function valueOfCell(kind: Kind | undefined, cell: unknown): Value {
  if (cell === null || cell === undefined) return null;
  if (kind === 'number') return Number(cell);
  if (kind === 'boolean') return cell === true || cell === 1 || cell === '1' || cell === 'true';
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell as string | number | boolean);
  if (kind !== 'date' && kind !== 'datetime') return text;
  const moment = momentOf(text);
  return moment?.kind === 'datetime' && kind === 'date' ? momentAt('date', timeOf(moment)) : (moment ?? null);
}

/** A value as the API writes the cell of a computed column. */
export function cellOfValue(value: Value): string | number | boolean | null {
  return isMoment(value) ? value.text : value;
}
