import {
  defineRoute,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { Row, TemplateValues } from '@trellis/sdk/shared';
import {
  triedItems,
  type AutomationDefinition,
  type TriedStepEntity,
  type TryAnswer,
} from '../shared/index.ts';
import { automationErrors, problemOf } from './automation-errors.ts';
import type { Conditions } from './conditions.ts';
import { definitionSchema, readDefinition } from './definition-input.ts';
import type { Kinds } from './kinds.ts';
import { createPrepareStep } from './prepare-step.ts';
import { itemsOf, valuesWith, withinTime } from './step-call.ts';

interface TryBody {
  readonly automation: AutomationDefinition;
  /** The key of a row; without one the first row of the table is taken. */
  readonly row?: string;
}

const rate = { name: 'automations.try', limit: 60, windowSeconds: 60 };

/** Dry runs: what an automation would do, which need not be saved. */
export function tryRoutes(
  ctx: ServerPluginContext,
  { kinds, conditions }: { readonly kinds: Kinds; readonly conditions: Conditions },
): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const prepareStep = createPrepareStep(ctx);

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, TryBody>({
      method: 'POST',
      path: 'projects/:projectId/try',
      permission: 'automationSet',
      object: { kind: 'project', param: 'projectId' },
      summary:
        'Show what an automation would do for a row, with the rights of the caller: nothing is changed and nothing is sent',
      schemas: {
        body: {
          type: 'object',
          required: ['automation'],
          properties: {
            automation: { ...definitionSchema, required: ['title', 'trigger', 'steps'] },
            row: { type: 'string', maxLength: 2000 },
          },
        },
      },
      unknownKeys: 'refuse',
      async handle({ scope, principal, body, signal }): Promise<TryAnswer> {
        await limiter.consume(rate, principal.id);
        const snapshot = await schema.snapshot(scope);
        const given = { ...body.automation, conditions: body.automation.conditions ?? [] };
        const { definition, tableId } = readDefinition(given, { kinds, snapshot });
        const about = {
          user: { id: principal.id, email: principal.email },
          event: { id: 'try', type: definition.trigger.type, at: new Date().toISOString() },
        };
        let event: TemplateValues = { trigger: about };
        let isMet = true;
        if (tableId !== undefined) {
          const handle = await schema.open(scope, tableId);
          handle.scope.require('dataRead');
          const { table } = handle;
          const named = body.row?.trim() ?? '';
          const row: Row | undefined =
            named === '' ? await rows.findOne(handle, {}) : await rows.read(handle, named);
          if (row === undefined)
            throw automationErrors.create(named === '' ? 'AUTOMATION_TRY_EMPTY' : 'AUTOMATION_TRY_ROW', {
              table: table.title,
            });
          const key = rows.keyOf(table, row) ?? '';
          isMet = await conditions.areMetBy(definition.conditions, handle, key);
          const trigger = { ...about, row: key, table: { id: table.id, title: table.title } };
          event = { row, previous: row, trigger };
        }
        const outputs = new Map<string, TemplateValues>();
        const known = event.trigger as TemplateValues;
        const open = (kinds.trigger(definition.trigger.type)?.values ?? [])
          .filter((name) => !Object.hasOwn(known, name))
          .map((name) => ['trigger', name]);
        const steps: TriedStepEntity[] = [];
        for (const [position, step] of definition.steps.entries()) {
          const { name, type } = step;
          try {
            const kind = kinds.step(type);
            if (kind === undefined) throw automationErrors.create('AUTOMATION_STEP', { type });
            const values = valuesWith(event, outputs);
            const items = itemsOf(step, definition.steps, outputs);
            const before = definition.steps.slice(0, position);
            /** With what it would give, once it is known that it would not be refused. */
            const prepare = (filled: TemplateValues) =>
              withinTime(signal, async (within) => {
                const run = { id: 'try', chain: [], values: filled, scope, before, open };
                const ready = await prepareStep(kind, step, run, within);
                return { ...ready, output: (await ready.check?.()) ?? ready.expected };
              });
            if (items === undefined) {
              const { shown, output, mask, open: ofStep = [] } = await prepare(values);
              outputs.set(name, output);
              open.push(...ofStep.map((names) => ['steps', name, ...names]));
              steps.push({ name, type, item: null, input: shown, output: mask(output), error: null });
              continue;
            }
            const count = items.length;
            for (const [at, row] of items.slice(0, triedItems).entries()) {
              const { shown, output, mask } = await prepare({ ...values, item: row });
              steps.push({
                name,
                type,
                item: { at, count },
                input: shown,
                output: mask(output),
                error: null,
              });
            }
            outputs.set(name, { count, failed: 0 });
          } catch (error) {
            steps.push({ name, type, item: null, input: null, output: null, error: problemOf(error) });
            break;
          }
        }
        return { is_met: isMet, steps };
      },
    }),
  ];
}
