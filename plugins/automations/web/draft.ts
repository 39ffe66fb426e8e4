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

/** An automation before anything is set, but for the table of which somebody thinks. */
export function emptyDefinition(table: string | undefined): AutomationDefinition {
  const settings = table === undefined ? {} : { table };
  return { title: '', trigger: { type: 'row.added', settings }, conditions: [], steps: [] };
}

/** What people set of an automation. */
export function definitionOf({ title, trigger, conditions, steps }: AutomationEntity): AutomationDefinition {
  return { title, trigger, conditions, steps };
}

/** What a new step of a kind is called, with a number behind it where there are several. */
export function nameOfNew({ id }: Pick<StepKindEntity, 'id'>): string {
  return id.split('.').at(-1) ?? 'step';
}

/** A step of a kind, with a name that no other one has. */
export function newStep(kind: StepKindEntity, others: readonly StepDefinition[]): StepDefinition {
  const word = nameOfNew(kind);
  let name = word;
  for (let number = 2; others.some((other) => other.name === name); number += 1) name = `${word}${number}`;
  return { id: randomKey(), name, type: kind.id, settings: initialOf(kind) };
}

/** A trigger of a kind, about the table that the one before was about. */
export function newTrigger(
  kind: TriggerKindEntity,
  { settings: { table } }: AutomationDefinition['trigger'],
): AutomationDefinition['trigger'] {
  const hasTable = table !== undefined && kind.inputs.some(({ id }) => id === 'table');
  return { type: kind.id, settings: { ...initialOf(kind), ...(hasTable && { table }) } };
}

/** What another trigger changes. Conditions on the columns of a table go where the rows of that table start it no longer. */
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

/** When something happens as long as nobody chose another time. */
export function firstTime(): TimePlan {
  return { cron: '0 8 * * 1-5', time_zone: ownTimeZone() };
}
