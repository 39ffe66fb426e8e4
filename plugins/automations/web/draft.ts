import type { AutomationInput, AutomationSettings, TimePlan } from '@trellis/sdk/shared';
import { randomKey } from '@trellis/sdk/web';
import { ownTimeZone } from '@trellis/sdk/web/ui';
import type {
  AutomationDefinition,
  AutomationEntity,
  StepDefinition,
  StepKindEntity,
  TriggerKindEntity,
} from '../shared/index.ts';

/** A new automation; only the table may be set. */
export function emptyDefinition(table: string | undefined): AutomationDefinition {
  const settings = table === undefined ? {} : { table };
  return { title: '', trigger: { type: 'row.added', settings }, conditions: [], steps: [] };
}

/** The part of an automation that people edit. */
export function definitionOf({ title, trigger, conditions, steps }: AutomationEntity): AutomationDefinition {
  return { title, trigger, conditions, steps };
}

/** The name of a new step of a kind; further ones get a number. */
export function nameOfNew({ id }: Pick<StepKindEntity, 'id'>): string {
  return id.split('.').at(-1) ?? 'step';
}

/** A step of a kind with an unused name. */
export function newStep(kind: StepKindEntity, others: readonly StepDefinition[]): StepDefinition {
  const word = nameOfNew(kind);
  let name = word;
  for (let number = 2; others.some((other) => other.name === name); number += 1) name = `${word}${number}`;
  return { id: randomKey(), name, type: kind.id, settings: initialOf(kind) };
}

/** A trigger of a kind, for the same table as the former one. */
export function newTrigger(
  kind: TriggerKindEntity,
  { settings: { table } }: AutomationDefinition['trigger'],
): AutomationDefinition['trigger'] {
  const hasTable = table !== undefined && kind.inputs.some(({ id }) => id === 'table');
  return { type: kind.id, settings: { ...initialOf(kind), ...(hasTable && { table }) } };
}

/** Applies another trigger. Conditions on a table's columns are removed if that table's rows no longer start the automation. */
export function withTrigger(
  { trigger: before, conditions }: Pick<AutomationDefinition, 'trigger' | 'conditions'>,
  kind: TriggerKindEntity,
): Pick<AutomationDefinition, 'trigger' | 'conditions'> {
  const trigger = newTrigger(kind, before);
  const isSameTable = kind.table !== null && trigger.settings[kind.table] === before.settings.table;
  return { trigger, conditions: isSameTable ? conditions : [] };
}

function initialOf({ inputs }: Pick<TriggerKindEntity, 'inputs'>): AutomationSettings {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const initial = firstOf(input);
      return initial === undefined ? [] : [[input.id, initial] as const];
    }),
  );
}

function firstOf({ kind, initial }: AutomationInput): unknown {
  return initial === undefined && kind === 'time' ? firstTime() : initial;
}

/** The default time. */
export function firstTime(): TimePlan {
  return { cron: '0 8 * * 1-5', time_zone: ownTimeZone() };
}
