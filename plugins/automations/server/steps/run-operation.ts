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

/** Does on a row what buttons can do: the acts that other plugins bring, with what they work with. */
export function runOperationStep(ctx: ServerPluginContext, { rows, open }: RowAccess): AutomationStep {
  const operations = ctx.get(OperationsToken);
  const registry = ctx.registry('operations');
  const acts = () =>
    registry
      .list()
      .flatMap(({ id, button }) =>
        button === undefined || button.needsButton === true ? [] : [{ id, ...button }],
      );

  /** What is asked of each act that works with something. */
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
    /** What can be done changes with the plugins that are on. */
    get inputs() {
      const options = acts().map(({ id, label }) => ({ value: id, label }));
      return [
        ...operationRun.inputs.map((input) => (input.id === 'operation' ? { ...input, options } : input)),
        ...choiceInputs(),
      ];
    },
    // Asked for by the act, whose plugin may be off while something else of the automation is changed.
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
      // Only what its owner may choose: an operation need not ask again.
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
