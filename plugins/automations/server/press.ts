import {
  RowStoreToken,
  SchemaStoreToken,
  type ButtonPress,
  type Operation,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { buttonOperation, rowButton } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import type { AutomationStore } from './automation-store.ts';
import type { Conditions } from './conditions.ts';
import type { Guard } from './guard.ts';
import { newId } from './ids.ts';
import type { OwnerScope } from './owner-scope.ts';
import type { NewRun, RunStore } from './run-store.ts';

/** The operation of buttons: starts the automations that chose the button for its row, with the rights of their owners. */
export function pressOperation(
  ctx: ServerPluginContext,
  deps: {
    readonly automations: AutomationStore;
    readonly runs: RunStore;
    readonly conditions: Conditions;
    readonly guard: Guard;
    readonly ownerScope: OwnerScope;
    readonly wake: (automationId: string) => void;
  },
): Operation {
  const { automations, runs, conditions, guard, ownerScope, wake } = deps;
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  return {
    id: buttonOperation.id,
    summary: 'Begin the automations that a button of a row starts',
    permission: 'buttonPress',
    button: { label: buttonOperation.label, needsButton: true },
    async run({ input, scope }) {
      const { tableId, columnId, rowKey } = input as ButtonPress;
      const meant = (await automations.ofTables([tableId])).filter(
        ({ paused, projectId, definition: { trigger } }) =>
          paused === undefined &&
          projectId === scope.projectId &&
          trigger.type === rowButton.id &&
          Array.isArray(trigger.settings.button) &&
          trigger.settings.button.includes(columnId),
      );
      if (meant.length === 0) throw automationErrors.create('AUTOMATION_BUTTON');
      const chain = await guard.chainOf(scope.requestId);
      const { id: userId, email } = scope.principal;
      // Stored together: if one cannot begin, none begins, or the next press would start the others again.
      const begun: NewRun[] = [];
      for (const automation of meant) {
        const stopped = guard.stopped(automation, chain) ?? (await guard.tooOften(automation));
        if (stopped !== undefined) throw stopped;
        const handle = await schema.open(await ownerScope(automation, scope.requestId), tableId);
        const row = await rows.read(handle, rowKey);
        if (row === undefined)
          throw automationErrors.create('AUTOMATION_ROW', { key: rowKey, table: handle.table.title });
        if (!(await conditions.areMetBy(automation.definition.conditions, handle, rowKey))) continue;
        const id = newId('ar');
        begun.push({
          id,
          ruleId: automation.id,
          projectId: automation.projectId,
          eventId: id,
          version: automation.version,
          rowKey,
          seq: Date.now(),
          position: 0,
          values: {
            row,
            previous: row,
            trigger: {
              row: rowKey,
              user: { id: userId, email },
              table: { id: tableId, title: handle.table.title },
              event: { id, type: rowButton.id, at: new Date().toISOString() },
            },
          },
          chain,
        });
      }
      await runs.add(begun);
      for (const { ruleId } of begun) wake(ruleId);
      return undefined;
    },
  };
}
