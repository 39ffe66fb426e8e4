import {
  OperationsToken,
  type AutomationStep,
  type ButtonPress,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { AutomationInput } from '@trellis/sdk/shared';
import { operationRun } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import type { RowAccess } from './cells.ts';

/** Runs a button's operation on a row: operations of other plugins, with their chosen object. */
export function runOperationStep(ctx: ServerPluginContext, { rows, open }: RowAccess): AutomationStep {
  const operations = ctx.get(OperationsToken);
  const registry = ctx.registry('operations');
  const acts = () =>
    registry
      .list()
      .flatMap(({ id, button }) =>
        button === undefined || button.needsButton === true ? [] : [{ id, ...button }],
      );

  /** The inputs for operations that have choices. */
  const choiceInputs = () =>
    acts().flatMap(({ id, choices }): readonly AutomationInput[] =>
      choices === undefined
        ? []
        : [
            {
              id: 'choice',
              label: choices.label,
              kind: 'act',
              act: id,
              table: 'table',
              isRequired: true,
              when: { input: 'operation', is: id },
            },
          ],
    );

  return {
    ...operationRun,
    /** The list of operations changes with the active plugins. */
    get inputs() {
      const options = acts().map(({ id, label }) => ({ value: id, label }));
      return [
        ...operationRun.inputs.map((input) => (input.id === 'operation' ? { ...input, options } : input)),
        ...choiceInputs(),
      ];
    },
    // An input of the operation, whose plugin may be off while another part of the automation is changed.
    keeps: ['choice'],
    check({ operation }) {
      const isKnown = registry.get(String(operation)) !== undefined;
      if (isKnown && !acts().some(({ id }) => id === operation))
        throw automationErrors.create('AUTOMATION_ACT');
    },
    async prepare(call) {
      const { settings, fill, isOpen, signal, scope: whole, idempotencyKey } = call;
      const act = acts().find(({ id }) => id === settings.operation);
      if (act === undefined) throw automationErrors.create('AUTOMATION_ACT');
      const handle = await open(call, 'dataRead');
      const { id: tableId, projectId, title } = handle.table;
      const { scope } = handle;
      const choice = act.choices === undefined ? '' : fill(settings.choice).trim();
      // Only what the owner may choose, since an operation need not check again.
      const chosen = (await act.choices?.list(scope, tableId))?.find(({ id }) => id === choice);
      if (act.choices !== undefined && chosen === undefined && !isOpen(settings.choice))
        throw automationErrors.create('AUTOMATION_ACT_CHOICE', { act: act.label, table: title });
      if (isOpen(settings.key))
        return {
          shown: { act: act.label, ...(chosen && { choice: chosen.label }), table: title, key: settings.key },
          expected: {},
          take: () => Promise.reject(automationErrors.create('AUTOMATION_NO_KEY')),
        };
      const key = fill(settings.key).trim();
      if (key === '') throw automationErrors.create('AUTOMATION_NO_KEY');
      const row = await rows.read(handle, key);
      if (row === undefined) throw automationErrors.create('AUTOMATION_ROW', { key, table: title });
      const input: ButtonPress = { projectId, tableId, columnId: '', rowKey: key, row, choice };
      return {
        shown: { act: act.label, ...(chosen && { choice: chosen.label }), table: title, key },
        expected: {},
        async take() {
          await operations.run(act.id, { scope: whole, input, signal, idempotencyKey });
          return { output: {} };
        },
      };
    },
  };
}
