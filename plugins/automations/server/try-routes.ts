import {
  defineRoute,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
  type TableHandle,
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
import { sampleRow } from './samples.ts';
import { itemsOf, valuesWith, withinTime } from './step-call.ts';

interface TryBody {
  readonly automation: AutomationDefinition;
  /** The key of a row; by default the first row of the table, or a sample row if it is empty. */
  readonly row?: string;
}

/** The event, as far as a dry run knows it. */
interface TriedEvent {
  readonly event: TemplateValues;
  readonly isMet: boolean;
  /** The sample row, if one was used. */
  readonly sample: Row | null;
}

const rate = { name: 'automations.try', limit: 60, windowSeconds: 60 };

/** Dry runs: what an automation, saved or not, would do. */
export function tryRoutes(
  ctx: ServerPluginContext,
  { kinds, conditions }: { readonly kinds: Kinds; readonly conditions: Conditions },
): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const prepareStep = createPrepareStep(ctx);
  const types = ctx.registry('columnTypes');

  /**
   * The row for a dry run: the given one, else the first one of the table, else a sample row.
   *
   * @throws TrellisError 400 `AUTOMATION_TRY_ROW`
   */
  async function ofRow(
    handle: TableHandle,
    { conditions: asked }: AutomationDefinition,
    { named, about }: { readonly named: string; readonly about: TemplateValues },
  ): Promise<TriedEvent> {
    handle.scope.require('dataRead');
    const { table } = handle;
    const key = named.trim();
    const found = key === '' ? await rows.findOne(handle, {}) : await rows.read(handle, key);
    if (found === undefined && key !== '')
      throw automationErrors.create('AUTOMATION_TRY_ROW', { table: table.title });
    const row: Row = found ?? sampleRow(handle, types);
    const keyOfRow = rows.keyOf(table, row) ?? '';
    const trigger = { ...about, row: keyOfRow, table: { id: table.id, title: table.title } };
    const event = { row, previous: row, trigger };
    if (found !== undefined)
      return { event, isMet: await conditions.areMetBy(asked, handle, keyOfRow), sample: null };
    // Checks the conditions without a row.
    await conditions.predicateOf(handle, asked);
    return { event, isMet: true, sample: row };
  }

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
        const { event, isMet, sample } =
          tableId === undefined
            ? { event: { trigger: about }, isMet: true, sample: null }
            : await ofRow(await schema.open(scope, tableId), definition, { named: body.row ?? '', about });
        const outputs = new Map<string, TemplateValues>();
        const known = event.trigger as TemplateValues;
        const open = (kinds.trigger(definition.trigger.type)?.values ?? [])
          .filter((name) => !Object.hasOwn(known, name))
          .map((name) => ['trigger', name]);
        // A sample row must not make a step fail.
        if (sample !== null) open.push(['row'], ['previous'], ['trigger', 'row']);
        const steps: TriedStepEntity[] = [];
        for (const [position, step] of definition.steps.entries()) {
          const { name, type } = step;
          try {
            const kind = kinds.step(type);
            if (kind === undefined) throw automationErrors.create('AUTOMATION_STEP', { type });
            const values = valuesWith(event, outputs);
            const items = itemsOf(step, definition.steps, outputs);
            const before = definition.steps.slice(0, position);
            /** With its expected output, once it is known that it would not be refused. */
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
        return { is_met: isMet, sample, steps };
      },
    }),
  ];
}
