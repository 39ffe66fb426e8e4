import { changesCell, type AutomationTrigger, type OutboxEvent } from '@trellis/sdk/server';
import type { AutomationInput, AutomationSettings } from '@trellis/sdk/shared';
import { rowTriggerValues } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';

const table: AutomationInput = { id: 'table', label: 'Table', kind: 'table', isRequired: true };

const rowTrigger = (
  trigger: Pick<AutomationTrigger, 'id' | 'label' | 'icon' | 'order'>,
  inputs: readonly AutomationInput[] = [],
): AutomationTrigger => ({
  ...trigger,
  inputs: [table, ...inputs],
  table: 'table',
  values: rowTriggerValues,
});

/** A trigger that changes of rows pull, and which of them. */
interface RowTrigger {
  readonly trigger: AutomationTrigger;
  isMeant(event: OutboxEvent, settings: AutomationSettings): boolean;
  /** Whether the row must not have met the conditions before. */
  readonly comesToMatch?: boolean;
}

/** What rows can start, by the ids of their triggers. */
export const rowTriggers: readonly RowTrigger[] = [
  {
    trigger: rowTrigger({ id: 'row.added', label: 'A row is added', icon: 'plus-circle', order: 10 }),
    isMeant: ({ change }) => change.op === 'insert',
  },
  {
    trigger: rowTrigger({ id: 'row.changed', label: 'A row is changed', icon: 'pencil', order: 20 }, [
      {
        id: 'columns',
        label: 'Only when one of these changes; none chosen: any',
        kind: 'columns',
        table: 'table',
      },
    ]),
    isMeant: (event, { columns }) =>
      event.change.op === 'update' &&
      (!Array.isArray(columns) ||
        columns.length === 0 ||
        columns.some((id) => typeof id === 'string' && changesCell(id, event))),
  },
  {
    trigger: rowTrigger({
      id: 'row.matches',
      label: 'A row comes to match conditions',
      icon: 'filter',
      order: 30,
    }),
    isMeant: ({ change }) => change.op !== 'delete',
    comesToMatch: true,
  },
  {
    trigger: rowTrigger({ id: 'row.deleted', label: 'A row is deleted', icon: 'minus-circle', order: 40 }),
    isMeant: ({ change }) => change.op === 'delete',
  },
];

export function rowTriggerOf(type: string): RowTrigger | undefined {
  return rowTriggers.find(({ trigger }) => trigger.id === type);
}

/** @throws TrellisError 400 for a trigger that without conditions would mean nothing */
export function checkConditions(type: string, conditions: readonly unknown[], hasRow: boolean): void {
  if (rowTriggerOf(type)?.comesToMatch === true && conditions.length === 0)
    throw automationErrors.create('AUTOMATION_CONDITION_NONE');
  if (conditions.length > 0 && !hasRow) throw automationErrors.create('AUTOMATION_CONDITION_ROW');
}
