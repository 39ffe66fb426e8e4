import { useT } from '@trellis/sdk/web';
import { useCallback } from 'react';
import type { FormulaProblem } from '../shared/index.ts';

/** The values of a problem that are words: kinds of values and of columns. */
const translated: ReadonlySet<string> = new Set(['expected', 'given', 'type']);

/** Describes a formula's problem in the person's language. */
export function useProblemText(): (problem: FormulaProblem) => string {
  const t = useT();
  return useCallback(
    ({ message, values }) => {
      const words = Object.entries(values).map(([name, value]) => [
        name,
        translated.has(name) && typeof value === 'string' ? t(value) : value,
      ]);
      return t(message, Object.fromEntries(words) as Record<string, string | number>);
    },
    [t],
  );
}
