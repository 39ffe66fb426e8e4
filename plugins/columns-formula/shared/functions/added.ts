import type { FormulaFunctionDefinition } from '@trellis/sdk/shared';
import { isNull, not, when, type Typed } from '../typed.ts';
import { expressionsOf, type FormulaFunction } from './define.ts';
import { formulaFunctions } from './index.ts';

/** Called when a function of another plugin threw, which is the plugin's fault and not the formula's. */
export type ReportFailure = (id: string, error: unknown) => void;

/**
 * A function of another plugin, for use in formulas. If it throws, it gives an empty value, like everything that cannot be
 * computed, and no tree.
 */
function addedFunction(definition: FormulaFunctionDefinition, report: ReportFailure): FormulaFunction {
  const { id, build, run, ...rest } = definition;
  const contained = <Made>(make: () => Made): Made | undefined => {
    try {
      return make();
    } catch (error) {
      report(id, error);
      return undefined;
    }
  };
  /** Empty if an argument is empty, whatever the tree computes. */
  const filled = (items: readonly Typed[]) => {
    const open = items.filter(({ literal }) => literal === undefined || literal === null);
    const made = build(expressionsOf(items));
    const areThere = open.map(({ expression }) => not(isNull(expression)));
    return areThere.length === 0 ? made : when({ kind: 'and', items: areThere }, made);
  };
  return {
    ...rest,
    name: id,
    build: (items) =>
      contained(() => (definition.takesEmpty === true ? build(expressionsOf(items)) : filled(items))),
    run: (values) => contained(() => run(values)) ?? null,
  };
}

/** The functions of other plugins by name. */
export function addedFunctions(
  definitions: readonly FormulaFunctionDefinition[],
  report: ReportFailure,
): ReadonlyMap<string, FormulaFunction> {
  return new Map(definitions.map((definition) => [definition.id, addedFunction(definition, report)]));
}

/** Refuses names that formulas cannot call. */
export function assertCallable({ id }: FormulaFunctionDefinition): void {
  if (!/^[A-Z][A-Z0-9_]*$/.test(id))
    throw new Error(`'${id}' is no name of a function of formulas: capital letters, digits and _ are.`);
  if (formulaFunctions.has(id))
    throw new Error(`Formulas have a function '${id}' already; choose another name.`);
}
