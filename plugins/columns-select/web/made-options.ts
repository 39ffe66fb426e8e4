import type { ColumnEntity, SelectOption } from '@trellis/sdk/shared';
import { ApiError, type ApiClient } from '@trellis/sdk/web';
import type { StepPreparation } from '@trellis/sdk/web/rows';
import { mostOptions, optionOf } from '../shared/index.ts';
import { changeOptions } from './change-options.ts';

/** Refusals that mean that rows use an option, or that options of an external database cannot be removed. */
const inUse = new Set(['OPTIONS_IN_USE', 'RETYPE_OPENED', 'RETYPE_OPENED_LOSES_VALUES']);

/** Options that a paste added: undoing it removes those that no row uses, and redoing it adds them again. */
export function madeOptions(
  api: ApiClient,
  column: ColumnEntity,
  made: readonly SelectOption[],
): StepPreparation {
  async function drop(dropped: readonly SelectOption[]): Promise<void> {
    // A renamed option is no longer the paste's.
    const goes = (of: SelectOption) => dropped.some(({ id, title }) => of.id === id && of.title === title);
    try {
      await changeOptions(api, column, (before) =>
        before.options.some(goes) ? { options: before.options.filter((of) => !goes(of)) } : before,
      );
    } catch (error) {
      if (!(error instanceof ApiError) || !inUse.has(error.code ?? '')) throw error;
      if (dropped.length === 1) return;
      // Halving finds the used options in few calls.
      const half = Math.ceil(dropped.length / 2);
      await drop(dropped.slice(0, half));
      await drop(dropped.slice(half));
    }
  }

  async function makeAgain(): Promise<void> {
    await changeOptions(api, column, (before) => {
      const missing = made.filter(
        ({ id, title }) =>
          optionOf(before, title) === undefined && !before.options.some((of) => of.id === id),
      );
      return missing.length === 0
        ? before
        : { options: [...before.options, ...missing].slice(0, Math.max(mostOptions, before.options.length)) };
    });
  }

  return { undo: () => drop(made), redo: makeAgain };
}
