import {
  compileFormula,
  FormulaError,
  parseFormula,
  withTitles,
  type FormulaProblem,
  type FormulaTable,
  type Kind,
} from '../shared/index.ts';

type State =
  | {
      readonly kind: Kind;
      readonly run: ReturnType<typeof compileFormula>['run'];
      readonly problem?: undefined;
    }
  | { readonly kind?: undefined; readonly run?: undefined; readonly problem: FormulaProblem | undefined };

/** The compiled formula, or its problem; neither if it is empty. */
export function stateOf(text: string, table: FormulaTable): State {
  if (text.trim() === '') return { problem: undefined };
  try {
    const { kind, run } = compileFormula(parseFormula(text), table);
    return { kind, run };
  } catch (error) {
    if (error instanceof FormulaError) return { problem: error.problem };
    throw error;
  }
}

/** A stored formula in readable form; unchanged if it cannot be parsed. */
export function readable(formula: string, titleOf: (id: string) => string | undefined): string {
  try {
    return withTitles(formula, titleOf);
  } catch (error) {
    if (error instanceof FormulaError) return formula;
    throw error;
  }
}
