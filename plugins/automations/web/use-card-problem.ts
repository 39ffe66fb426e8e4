import { ApiError, messageOfError, useHost } from '@trellis/sdk/web';
import { useState } from 'react';
import type { AutomationDefinition } from '../shared/index.ts';

/** What is wrong with one card of the editor. */
export interface CardProblem {
  /** The id of a step, or `when` for what starts the automation. */
  readonly card: string;
  readonly message: string;
  /** The title of the column whose cell it is about. */
  readonly column?: string;
}

/**
 * What the server refuses, said in the card that it is about: the step that an error names, otherwise what starts the automation where the
 * error names that. Other errors are nobody's card.
 *
 * @param triggerLabel as the server calls the trigger
 */
export function useCardProblem({ steps }: AutomationDefinition, triggerLabel: string | undefined) {
  const { t } = useHost();
  const [kept, setProblem] = useState<CardProblem>();
  // What was wrong with a step that was taken away since is wrong with nothing.
  const isThere = kept?.card === 'when' || steps.some(({ id }) => id === kept?.card);

  /** Keeps what the work fails with, and throws it on. */
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
