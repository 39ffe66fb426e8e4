import type { Expression } from './query-tree.ts';

/** The kind of a formula function's result. @public */
export type FormulaResult = 'number' | 'text' | 'date' | 'datetime' | 'boolean';

/**
 * The kinds that a parameter accepts; other kinds are refused or converted. `whole`: a number, without its fraction; `moment`: a
 * date, with or without a time; `ordered`: a number or a date; `list`: one of these words, as a quoted text.
 * @public
 */
export type FormulaTakes =
  'number' | 'whole' | 'text' | 'moment' | 'condition' | 'ordered' | 'any' | readonly string[];

/** One parameter of a function of formulas. @public */
export interface FormulaParameter {
  /** The name shown in the help: `digits`. */
  readonly name: string;
  readonly takes: FormulaTakes;
  readonly optional?: boolean;
}

/** A day or a moment, in the form of the API: `2026-03-29` or `2026-03-29 10:00:00`. @public */
export interface FormulaMoment {
  readonly kind: 'date' | 'datetime';
  readonly text: string;
}

/** A value of a formula outside of databases. Null is an empty cell. @public */
export type FormulaValue = number | string | boolean | FormulaMoment | null;

/** The group in which a formula function is listed. @public */
export type FormulaFunctionGroup = 'Logic' | 'Numbers' | 'Texts' | 'Dates';

/**
 * A function that people call in formulas, for the registry `formulaFunctions` of the plugin `columns-formula`. Both halves of a
 * plugin register the same definition: the server computes with it, the page completes and explains it and computes previews.
 *
 * `build` and `run` must mean the same for the same values. An impossible result is empty (null), and never an error.
 * @public
 */
export interface FormulaFunctionDefinition {
  /** The name in formulas, in any case: capital letters, digits and `_`, beginning with a letter. */
  readonly id: string;
  readonly group: FormulaFunctionGroup;
  readonly parameters: readonly FormulaParameter[];
  /** The number of last parameters that can be repeated as a group. Default: none. */
  readonly repeats?: number;
  /** The most arguments, if parameters are repeated. Default: no limit. */
  readonly most?: number;
  readonly result: FormulaResult;
  /** One sentence for the help, in English: the key of its translations. */
  readonly summary: string;
  /** A complete formula that shows its use, without a column: `SLUG("Ada Lovelace")`. */
  readonly example: string;
  /** Whether it is computed even if an argument is empty. Default: the result is then empty. */
  readonly takesEmpty?: boolean;
  /**
   * The computation in the database, built from query nodes. For its own SQL, register a function in the server's registry
   * `functions`, and name it in a `call` node.
   */
  build(values: readonly Expression[]): Expression;
  /** The same computation in JavaScript. */
  run(values: readonly FormulaValue[]): FormulaValue;
}

/** Defines a function of formulas. @public */
export function defineFormulaFunction(definition: FormulaFunctionDefinition): FormulaFunctionDefinition {
  return definition;
}
