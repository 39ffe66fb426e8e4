export {
  cellOfValue,
  compileFormula,
  valueOfCell,
  type FormulaColumn,
  type FormulaTable,
} from './compile.ts';
export { signatureOf, type FormulaFunction, type FunctionGroup } from './functions/define.ts';
export { exampleOf } from './functions/examples.ts';
export { formulaFunctions } from './functions/index.ts';
export { parseFormula, type FormulaNode } from './parse.ts';
export { columnText, printFormula } from './print.ts';
export { FormulaError, problemText, type FormulaProblem } from './problems.ts';
export { columnByTitle, columnIdsOf, withIds, withTitles } from './references.ts';
export { longestFormula, tokenize, type Token } from './tokens.ts';
export { kindOfStorage, type FormulaRow, type Kind } from './typed.ts';
export type { Value } from './values.ts';
export { formula, type FormulaCell } from './formula-type.ts';
export { addressOf, numberFormats, type FormulaOptions, type NumberFormat } from './options.ts';
