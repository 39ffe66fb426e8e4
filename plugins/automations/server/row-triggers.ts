import { changesCell, type AutomationTrigger } from '@trellis/sdk/server';
import type { FilterNode } from '@trellis/sdk/shared';
import { rowAdded, rowChanged, rowDeleted, rowMatches } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import { hasCondition } from './conditions.ts';

/** The triggers for changes of rows. */
export const rowTriggers: readonly AutomationTrigger[] = [
  { ...rowAdded, startedBy: ({ change }) => change.op === 'insert' },
  {
    ...rowChanged,
    startedBy: (event, { columns }) =>
      event.change.op === 'update' &&
      (!Array.isArray(columns) ||
        columns.length === 0 ||
        columns.some((id) => typeof id === 'string' && changesCell(id, event))),
  },
  { ...rowMatches, startedBy: ({ change }) => change.op !== 'delete' },
  { ...rowDeleted, startedBy: ({ change }) => change.op === 'delete' },
];

/** Whether the row must not have met the conditions before the change. */
export function comesToMatch(triggerId: string): boolean {
  return triggerId === rowMatches.id;
}

/** @throws TrellisError 400 for a trigger that is meaningless without conditions */
export function checkConditions(type: string, conditions: readonly FilterNode[], hasRow: boolean): void {
  if (comesToMatch(type) && !hasCondition(conditions))
    throw automationErrors.create('AUTOMATION_CONDITION_NONE');
  if (conditions.length > 0 && !hasRow) throw automationErrors.create('AUTOMATION_CONDITION_ROW');
}
