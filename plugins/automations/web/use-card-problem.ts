import { ApiError, messageOfError, useHost } from '@trellis/sdk/web';
import { useState } from 'react';
import type { AutomationDefinition } from '../shared/index.ts';

/** A problem of one card of the editor. */
export interface CardProblem {
  /** The id of a step, or `when` for the trigger. */
  readonly card: string;
  readonly message: string;
  /** The title of the affected cell's column. */
  readonly column?: string;
}

/**
 * Shows the server's refusal in the card that it concerns: the step that the error names, or the trigger if it names that. Other
 * errors belong to no card.
 *
 * @param triggerLabel as the server calls the trigger
 */
export function useCardProblem({ steps }: AutomationDefinition, triggerLabel: string | undefined) {
  const { t } = useHost();
  const [kept, setProblem] = useState<CardProblem>();
  // The problem of a removed step no longer applies.
  const isThere = kept?.card === 'when' || steps.some(({ id }) => id === kept?.card);

  /** Stores the error of the work and throws it again. */
  async function keepProblem<T>(work: () => Promise<T>): Promise<T> {
    setProblem(undefined);
    try {
      return await work();
    } catch (error) {
      const named = error instanceof ApiError ? error.params.step : undefined;
      const card =
        steps.find(({ name }) => name.trim() === named)?.id ?? (named === triggerLabel ? 'when' : undefined);
      const column = error instanceof ApiError ? error.params.column : undefined;
      if (named !== undefined && card !== undefined)
        setProblem({
          card,
          message: messageOfError(error, t),
          ...(typeof column === 'string' && { column }),
        });
      throw error;
    }
  }
  return { cardProblem: isThere ? kept : undefined, keepProblem, forget: () => setProblem(undefined) };
}
