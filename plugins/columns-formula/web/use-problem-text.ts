import { useT } from '@trellis/sdk/web';
import { useCallback } from 'react';
import type { FormulaProblem } from '../shared/index.ts';

/** Says what is wrong with a formula in the person's language; kinds of values are words of it too. */
export function useProblemText(): (problem: FormulaProblem) => string {
  const t = useT();
  return useCallback(
    ({ message, values }) => {
      const words = Object.entries(values).map(([name, value]) => [
        name,
        (name === 'expected' || name === 'given') && typeof value === 'string' ? t(value) : value,
      ]);
      return t(message, Object.fromEntries(words) as Record<string, string | number>);
    },
    [t],
  );
}
