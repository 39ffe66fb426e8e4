import type { OutboxEvent } from '@trellis/sdk/server';
import type { Problem } from '../shared/index.ts';
import { automationErrors, problemOf } from './automation-errors.ts';
import type { Automation } from './automation-store.ts';
import { newId } from './ids.ts';
import type { NewRun } from './run-store.ts';

/** An automation that a set of rows did not start, with the entry for its log. */
export interface SkippedRun {
  readonly automation: Automation;
  readonly run: NewRun & { readonly skipped: Problem };
}

/** The log entry for a set of rows: the rows are not known any more, so none of them starts the automation. */
export function skippedBy(automation: Automation, event: OutboxEvent, count: number): SkippedRun {
  const run = {
    id: newId('ar'),
    ruleId: automation.id,
    projectId: automation.projectId,
    eventId: event.id,
    version: automation.version,
    rowKey: '',
    seq: event.seq,
    position: event.position,
    values: {},
    chain: [],
    skipped: problemOf(automationErrors.create('AUTOMATION_SET_ROWS', { count })),
  };
  return { automation, run };
}
