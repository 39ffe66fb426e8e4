import { useHost, useRegistry } from '@trellis/sdk/web';
import { useMemo } from 'react';
import { addedFunctions, formulaFunctions, type FormulaFunction } from '../shared/index.ts';

/** Functions by their names in formulas. */
export type FormulaFunctions = ReadonlyMap<string, FormulaFunction>;

/** All functions that formulas may call now, and separately those of other plugins. */
export function useFormulaFunctions(): { readonly all: FormulaFunctions; readonly added: FormulaFunctions } {
  const { reportError } = useHost();
  const definitions = useRegistry('formulaFunctions');
  return useMemo(() => {
    const added = addedFunctions(definitions, (id, error) =>
      reportError({ registry: 'formulaFunctions', id }, 'formula', error),
    );
    return { all: new Map([...formulaFunctions, ...added]), added };
  }, [definitions, reportError]);
}
