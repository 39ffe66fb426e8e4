import type { Expression } from './query-tree.ts';

/** What a function of formulas gives. @public */
export type FormulaResult = 'number' | 'text' | 'date' | 'datetime' | 'boolean';

/**
 * What a parameter takes; other kinds are refused or turned into it. `whole`: a number without what stands behind its point; `moment`: a
 * date, with or without a time; `ordered`: a number or a date; `list`: one of these words, as a text in quotes.
 * @public
 */
export type FormulaTakes =
  'number' | 'whole' | 'text' | 'moment' | 'condition' | 'ordered' | 'any' | readonly string[];

/** One parameter of a function of formulas. @public */
export interface FormulaParameter {
  /** As the help shows it: `digits`. */
  readonly name: string;
  readonly takes: FormulaTakes;
  readonly optional?: boolean;
}

/** A day or a moment, as the API writes it: `2026-03-29` or `2026-03-29 10:00:00`. @public */
export interface FormulaMoment {
  readonly kind: 'date' | 'datetime';
  readonly text: string;
}

/** A value of a formula outside of databases. Null is an empty cell. @public */
export type FormulaValue = number | string | boolean | FormulaMoment | null;

/** What functions of formulas are listed under. @public */
export type FormulaFunctionGroup = 'Logic' | 'Numbers' | 'Texts' | 'Dates';

/**
 * A function that people call in formulas, for the registry `formulaFunctions` of the plugin `columns-formula`. Both halves of a plugin
 * register the same one: the server computes by it, the page completes and explains it and works out previews.
 *
 * `build` and `run` must mean the same for the same values. What cannot be worked out is empty (null), and never an error.
 * @public
 */
export interface FormulaFunctionDefinition {
  /** As people write it, in any case: capital letters, digits and `_`, beginning with a letter. */
  readonly id: string;
  readonly group: FormulaFunctionGroup;
  readonly parameters: readonly FormulaParameter[];
  /** How many of the last parameters come again and again, as a group. Default: none. */
  readonly repeats?: number;
  /** How many arguments there may be at the most where parameters come again. Default: any number. */
  readonly most?: number;
  readonly result: FormulaResult;
  /** One sentence for the help, in English: the key of its translations. */
  readonly summary: string;
  /** A whole formula that shows what it does, without a column: `SLUG("Ada Lovelace")`. */
  readonly example: string;
  /** Whether it is worked out although an argument is empty. Default: it is empty then. */
  readonly takesEmpty?: boolean;
  /**
   * What the database computes, of the nodes of queries. SQL of its own is a function of the server's registry `functions`, which the
   * node `call` names.
   */
  build(values: readonly Expression[]): Expression;
  /** The same in JavaScript. */
  run(values: readonly FormulaValue[]): FormulaValue;
}

/** Says what a function of formulas is. @public */
export function defineFormulaFunction(definition: FormulaFunctionDefinition): FormulaFunctionDefinition {
  return definition;
}
