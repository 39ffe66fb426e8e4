import { changesCell, type AutomationTrigger, type OutboxEvent } from '@trellis/sdk/server';
import type { AutomationSettings } from '@trellis/sdk/shared';
import { rowAdded, rowChanged, rowDeleted, rowMatches } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';

/** A trigger that changes of rows pull, and which of them. */
interface RowTrigger {
  readonly trigger: AutomationTrigger;
  isMeant(event: OutboxEvent, settings: AutomationSettings): boolean;
  /** Whether the row must not have met the conditions before. */
  readonly comesToMatch?: boolean;
}

/** What rows can start, by the ids of their triggers. */
export const rowTriggers: readonly RowTrigger[] = [
  { trigger: rowAdded, isMeant: ({ change }) => change.op === 'insert' },
  {
    trigger: rowChanged,
    isMeant: (event, { columns }) =>
      event.change.op === 'update' &&
      (!Array.isArray(columns) ||
        columns.length === 0 ||
        columns.some((id) => typeof id === 'string' && changesCell(id, event))),
  },
  { trigger: rowMatches, isMeant: ({ change }) => change.op !== 'delete', comesToMatch: true },
  { trigger: rowDeleted, isMeant: ({ change }) => change.op === 'delete' },
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
