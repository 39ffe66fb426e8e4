import {
  OperationsToken,
  type AutomationStep,
  type ButtonPress,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { operationRun } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import type { RowAccess } from './cells.ts';

/** Does on a row what buttons can do: the acts that other plugins bring. */
export function runOperationStep(ctx: ServerPluginContext, { rows, open }: RowAccess): AutomationStep {
  const operations = ctx.get(OperationsToken);
  const registry = ctx.registry('operations');
  const acts = () =>
    registry.list().flatMap(({ id, button }) =>
      // What needs a choice besides has none here.
      button === undefined || button.choices !== undefined ? [] : [{ value: id, label: button.label }],
    );
  return {
    ...operationRun,
    /** What can be done changes with the plugins that are on. */
    get inputs() {
      return operationRun.inputs.map((input) =>
        input.id === 'operation' ? { ...input, options: acts() } : input,
      );
    },
    async prepare(call) {
      const { settings, fill, scope, signal } = call;
      const act = acts().find(({ value }) => value === settings.operation);
      if (act === undefined) throw automationErrors.create('AUTOMATION_ACT');
      const handle = await open(call, 'dataRead');
      const key = fill(settings.key).trim();
      if (key === '') throw automationErrors.create('AUTOMATION_NO_KEY');
      const row = await rows.read(handle, key);
      const { id: tableId, projectId, title } = handle.table;
      if (row === undefined) throw automationErrors.create('AUTOMATION_ROW', { key, table: title });
      const input: ButtonPress = { projectId, tableId, columnId: '', rowKey: key, row, choice: '' };
      return {
        shown: { act: act.label, table: title, key },
        expected: {},
        async take() {
          await operations.run(act.value, { scope, input, signal });
          return { output: {} };
        },
      };
    },
  };
}
