import type { StorageKind } from '@trellis/sdk/shared';
import { compared, isComparison } from './compare.ts';
import { argumentOf, fitted, kindWords, operand, unfit } from './fit.ts';
import {
  parameterAt,
  signatureOf,
  takesCount,
  takesListAt,
  type FormulaFunction,
  type FormulaPlace,
} from './functions/define.ts';
import { formulaFunctions, listFunctions } from './functions/index.ts';
import { negative } from './functions/numbers.ts';
import { otherNames } from './functions/other-names.ts';
import type { FormulaNode } from './parse.ts';
import { FormulaError, type Span } from './problems.ts';
import { columnByTitle } from './references.ts';
import { arithmetic, empty, toText, truth, words, type FormulaRow, type Kind, type Typed } from './typed.ts';
import {
  added,
  concatenated,
  plainDigits,
  product,
  quotient,
  remainder,
  textOf,
  type Value,
} from './values.ts';

/** A column that a formula may name. */
export interface FormulaColumn {
  readonly id: string;
  readonly title: string;
  /** Undefined if the column cannot be read: a link, or a broken computed column. */
  readonly kind: Kind | undefined;
  /** Whether a cell holds several values, each of this kind. */
  readonly isList?: boolean;
}

/** The columns available to a formula. */
export interface FormulaTable extends FormulaPlace {
  readonly columns: readonly FormulaColumn[];
  /** Functions of other plugins by name. */
  readonly added?: ReadonlyMap<string, FormulaFunction>;
  /** The former title of a deleted column. */
  readonly titleOfGone?: (id: string) => string | undefined;
}

/**
 * Determines the kind of each part of a formula, and what the database computes for it.
 *
 * @throws FormulaError with the mismatch and its position.
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
      return oneValue(node, column(node, table));
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
const negated = (value: Value): Value => (value === null ? null : added(0, -Number(value)));

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
  const { id, title, kind, isList = false } = found;
  if (kind === undefined)
    throw new FormulaError('columnWithoutValues', node, {
      column: title,
    });
  return {
    ...placeOf(node),
    kind,
    expression: { kind: 'column', columnId: id },
    run: (row) => row.cell(id),
    ...(isList && { list: id, title }),
  };
}

/** A column with one value in each row: only functions for several values accept others. */
function oneValue(span: Span, item: Typed): Typed {
  if (item.list === undefined) return item;
  const values = { column: item.title ?? item.list, functions: listFunctions() };
  throw new FormulaError('columnOfSeveral', span, values);
}

function missing(node: NodeOf<'column'>, { titleOfGone }: FormulaTable): FormulaError {
  const gone = node.by === 'id' ? titleOfGone?.(node.name) : undefined;
  return gone === undefined
    ? new FormulaError('noColumn', node, { column: node.name })
    : new FormulaError('columnDeleted', node, { column: gone });
}

const arithmetics = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;

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
      return added(left, right);
    case '-':
      return added(left, -right);
    case '*':
      return product(left, right);
    case '/':
      return quotient(left, right);
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

function called(node: NodeOf<'call'>, table: FormulaTable): Typed {
  const definition = formulaFunctions.get(node.name) ?? table.added?.get(node.name);
  if (definition === undefined) throw noFunction(node);
  if (!takesCount(definition, node.items.length))
    throw new FormulaError('otherArguments', node, {
      function: definition.name,
      signature: signatureOf(definition),
      number: node.items.length,
    });
  if (definition.columnOf !== undefined)
    return column(
      { ...placeOf(node), kind: 'column', by: 'id', name: definition.columnOf(table, node) },
      table,
    );
  const given = node.items.map((item, index) => {
    const isList = item.kind === 'column' && takesListAt(definition, index);
    return argument(definition, isList ? column(item, table) : compileFormula(item, table), index);
  });
  const items = definition.prepare?.(given) ?? given;
  const predicate = definition.holds?.(items);
  const kind = typeof definition.result === 'string' ? definition.result : definition.result(items);
  // An always empty value gets the type of its context, like `NULL`.
  const expression = kind === 'nothing' ? empty(kind) : definition.build(items, table);
  if (expression === undefined)
    throw new FormulaError('functionFailed', node.at, { function: definition.name });
  return {
    ...placeOf(node),
    kind,
    ...(predicate !== undefined && { predicate }),
    ...(kind === 'nothing' && { literal: null }),
    expression,
    run(row) {
      const values = items.flatMap((item) => valuesOf(item, row));
      const isEmpty = values.includes(null) || (items.length > 0 && values.length === 0);
      if (definition.takesEmpty !== true && isEmpty) return null;
      return definition.run(values, row);
    },
  };
}

/** The values of an argument: the non-empty ones of a list, else the single value. */
function valuesOf(item: Typed, row: FormulaRow): readonly Value[] {
  const { list } = item;
  if (list === undefined) return [item.run(row)];
  const each = (value: Value): FormulaRow => ({ ...row, cell: (id) => (id === list ? value : row.cell(id)) });
  return row
    .list(list)
    .map((value) => item.run(each(value)))
    .filter((value) => value !== null);
}

function noFunction({ name, at }: NodeOf<'call'>): FormulaError {
  const other = otherNames.get(name);
  return other === undefined
    ? new FormulaError('noFunction', at, { function: name })
    : new FormulaError('noFunctionOfName', at, { function: name, other });
}

function argument(definition: FormulaFunction, item: Typed, index: number): Typed {
  const parameter = parameterAt(definition, index);
  if (parameter === undefined)
    throw new Error(`The number of arguments of ${definition.name} was not checked.`);
  const { name, takes } = parameter;
  const asker = argumentOf(definition.name, name, index);
  // Only the database knows whether looked-up values are booleans.
  if (item.list !== undefined && item.kind === 'boolean' && takes !== 'any' && takes !== 'text')
    throw unfit(item, kindWords.number, asker);
  return fitted(item, takes, asker);
}
