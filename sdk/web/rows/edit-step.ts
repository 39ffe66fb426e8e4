import type { Translate } from '../context.ts';

/**
 * One action of a person: all writes with the same object are undone together.
 *
 * @public
 */
export interface EditStep {
  readonly kind: 'edit' | 'paste' | 'fill' | 'clear' | 'add' | 'delete' | 'duplicate' | 'move';
  /** The number of cells; of rows if rows are added, deleted, duplicated or moved. */
  readonly count: number;
}

/** The name of a step for undo: "Paste of 12 cells". @public */
export function nameOfStep({ kind, count }: EditStep, t: Translate): string {
  switch (kind) {
    case 'edit':
      return t('Change of {{count}} cells', { count, one: 'Change of a cell' });
    case 'paste':
      return t('Paste of {{count}} cells', { count, one: 'Paste of a cell' });
    case 'fill':
      return t('Fill of {{count}} cells', { count, one: 'Fill of a cell' });
    case 'clear':
      return t('Emptying of {{count}} cells', { count, one: 'Emptying of a cell' });
    case 'add':
      return t('Adding of {{count}} rows', { count, one: 'Adding of a row' });
    case 'delete':
      return t('Deletion of {{count}} rows', { count, one: 'Deletion of a row' });
    case 'duplicate':
      return t('Duplication of {{count}} rows', { count, one: 'Duplication of a row' });
    case 'move':
      return t('Moving of {{count}} rows', { count, one: 'Moving of a row' });
  }
}
