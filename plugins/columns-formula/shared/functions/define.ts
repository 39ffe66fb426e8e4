import type {
  Expression,
  FormulaFunctionGroup,
  FormulaParameter as Parameter,
  Predicate,
} from '@trellis/sdk/shared';
import type { Span } from '../problems.ts';
import type { FormulaRow, Kind, Typed } from '../typed.ts';
import type { Value } from '../values.ts';
import type { RowFact } from './rows.ts';

export type { Parameter };

/** The table of a formula. */
export interface FormulaPlace {
  /** The columns of the table's key. */
  readonly keyIds: readonly string[];
  /** The columns that store who created and changed rows, and when. */
  readonly facts?: Readonly<Partial<Record<RowFact, string>>>;
}

/** A function of formulas: its parameters, its tree for databases, its own computation, and its help text. */
export interface FormulaFunction {
  readonly name: string;
  readonly group: FormulaFunctionGroup;
  readonly parameters: readonly Parameter[];
  /** How many of the last parameters repeat, as a group. Default: none. */
  readonly repeats?: number;
  /** The most arguments, if parameters repeat. Default: any number. */
  readonly most?: number;
  readonly result: Kind | ((items: readonly Typed[]) => Kind);
  /** One sentence for the help. */
  readonly summary: string;
  /** An example formula; default: see `exampleOf`. */
  readonly example?: string;
  /** Whether it is computed even if an argument is empty. Otherwise the result is then empty. */
  readonly takesEmpty?: boolean;
  /**
   * Whether its last, repeating parameters accept columns whose cells hold several values. `build` gets such an item with its
   * `list`, and `run` the non-empty values in sequence.
   */
  readonly takesLists?: boolean;
  /**
   * For a function that stands for a column of the table: the column's id.
   *
   * @throws FormulaError if the table has no such column.
   */
  columnOf?(place: FormulaPlace, span: Span): string;
  /** Converts arguments that must have the same kind. */
  prepare?(items: readonly Typed[]): readonly Typed[];
  /** Undefined if the function of another plugin failed. */
  build(items: readonly Typed[], place: FormulaPlace): Expression | undefined;
  /** The same as a condition, for boolean functions. */
  holds?(items: readonly Typed[]): Predicate;
  run(values: readonly Value[], row: FormulaRow): Value;
}

/** The parameter of an argument by its number. */
export function parameterAt(
  { parameters, repeats = 0 }: FormulaFunction,
  index: number,
): Parameter | undefined {
  if (index < parameters.length || repeats === 0) return parameters[index];
  return parameters[parameters.length - repeats + ((index - parameters.length) % repeats)];
}

/** Whether an argument by its number may be a column whose cells hold several values. */
export function takesListAt(
  { parameters, repeats = 0, takesLists }: FormulaFunction,
  index: number,
): boolean {
  return takesLists === true && index >= parameters.length - repeats;
}

/** An aggregate of the values of a list. */
export function madeOfList(
  { list = '', expression }: Typed,
  aggregate: Extract<Expression, { kind: 'values' }>['aggregate'],
  more: Pick<Extract<Expression, { kind: 'values' }>, 'where' | 'separator'> = {},
): Expression {
  return { kind: 'values', columnId: list, aggregate, of: expression, ...more };
}

/** Whether a function accepts this number of arguments: of a repeating group, all or none. */
export function takesCount(definition: FormulaFunction, count: number): boolean {
  const { parameters, repeats = 0, most = Infinity } = definition;
  const least = parameters.filter(({ optional }) => optional !== true).length;
  if (repeats === 0) return count >= least && count <= parameters.length;
  return count >= least && count <= most && (count - least) % repeats <= parameters.length - least;
}

/** `ROUND(number, [digits])`. */
export function signatureOf({ name, parameters, repeats = 0 }: FormulaFunction): string {
  const names = parameters.map((parameter) =>
    parameter.optional === true ? `[${parameter.name}]` : parameter.name,
  );
  return `${name}(${[...names, ...(repeats > 0 ? ['…'] : [])].join(', ')})`;
}

export const expressionsOf = (items: readonly Typed[]): readonly Expression[] =>
  items.map((item) => item.expression);

/** An argument that exists, since the number of arguments was checked. */
export function itemAt(items: readonly Typed[], index: number): Typed {
  const item = items[index];
  if (item === undefined) throw new Error(`The formula's argument ${index} was not checked.`);
  return item;
}

/** Combines values pairwise to a tree of minimal height, since databases evaluate trees recursively. */
export function balanced<Item>(items: readonly Item[], both: (left: Item, right: Item) => Item): Item {
  const [first, ...others] = items;
  if (first === undefined) throw new Error('The number of arguments was not checked.');
  if (others.length === 0) return first;
  const half = items.length >> 1;
  return both(balanced(items.slice(0, half), both), balanced(items.slice(half), both));
}

/** A function that databases have under the same or another name. */
export function called(
  definition: Omit<FormulaFunction, 'build'>,
  build: (values: readonly Expression[]) => Expression,
): FormulaFunction {
  return { ...definition, build: (items) => build(expressionsOf(items)) };
}

export const asNumber = (value: Value | undefined): number => value as number;
export const asText = (value: Value | undefined): string => value as string;

/** A number that a database can hold; otherwise null. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
