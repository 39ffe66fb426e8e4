import { addressFunctions } from './addresses.ts';
import type { FormulaFunction } from './define.ts';
import { dateFunctions } from './dates.ts';
import { logicFunctions } from './logic.ts';
import { numberFunctions } from './numbers.ts';
import { patternFunctions } from './patterns.ts';
import { rowFunctions } from './rows.ts';
import { textFunctions } from './texts.ts';

/** All functions of formulas, by name. */
export const formulaFunctions: ReadonlyMap<string, FormulaFunction> = new Map(
  [
    ...logicFunctions,
    ...numberFunctions,
    ...textFunctions,
    ...patternFunctions,
    ...addressFunctions,
    ...dateFunctions,
    ...rowFunctions,
  ].map((one) => [one.name, one]),
);

/** The names of functions that accept columns whose cells hold several values. */
export function listFunctions(): string {
  const takers = [...formulaFunctions.values()].filter(({ takesLists }) => takesLists === true);
  return takers.map(({ name }) => name).join(', ');
}
