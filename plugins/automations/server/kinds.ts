import {
  NotifierToken,
  PluginAdministrationToken,
  type AutomationStep,
  type AutomationTrigger,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { AutomationSettings, TimePlan } from '@trellis/sdk/shared';
import { timePlanOf, type AutomationDefinition, type KindsEntity } from '../shared/index.ts';

/** What automations can be made of at the moment, from this plugin and others. */
export function createKinds(ctx: ServerPluginContext) {
  const notifier = ctx.get(NotifierToken);
  const administration = ctx.get(PluginAdministrationToken);
  // The registries are there once this plugin has been set up.
  const triggers = () => ctx.registry('automationTriggers');
  const steps = () => ctx.registry('automationSteps');
  /** Of plugins that are off what their channels are called: who chose one is told of it by its name. */
  function channelsOff(): KindsEntity['channels_off'] {
    const on = new Set(notifier.channels().map(({ id }) => id));
    return administration
      .list()
      .flatMap(({ labels }) => Object.entries(labels.notificationChannels ?? {}))
      .filter(([id]) => !on.has(id))
      .map(([id, label]) => ({ id, label }));
  }

  return {
    trigger: (id: string): AutomationTrigger | undefined => triggers().get(id),
    step: (id: string): AutomationStep | undefined => steps().get(id),
    /** A definition whose trigger a former release may have written, as its plugin takes it today. */
    upgraded(definition: AutomationDefinition): AutomationDefinition {
      const { type, settings } = definition.trigger;
      return withTrigger(definition, triggers().get(type)?.upgrade?.(settings));
    },
    /** The definition of a copy: secrets of its trigger are new. */
    copied(definition: AutomationDefinition, projectId: string): AutomationDefinition {
      const { type, settings } = definition.trigger;
      return withTrigger(definition, triggers().get(type)?.copy?.(settings, projectId));
    },
    /** The ids of the channels over which its steps tell people. */
    channelIds: (definition: AutomationDefinition): readonly string[] =>
      definition.steps.flatMap(({ type, settings }) =>
        (steps().get(type)?.inputs ?? [])
          .filter(({ kind }) => kind === 'channel')
          .map(({ id }) => (settings[id] as { readonly id: string } | undefined)?.id ?? ''),
      ),
    /** When a time starts it; undefined where none does. */
    timePlan({ trigger: { type, settings } }: AutomationDefinition): TimePlan | undefined {
      return timePlanOf(triggers().get(type)?.inputs ?? [], settings);
    },
    entity: (): KindsEntity => ({
      triggers: inOrder(triggers().list()).map(({ id, label, icon, inputs, table, values, onlyNew }) => ({
        id,
        label,
        icon,
        inputs,
        table: table ?? null,
        values: values ?? [],
        onlyNew: onlyNew === true,
      })),
      steps: inOrder(steps().list()).map(({ id, label, icon, inputs, outputs }) => ({
        id,
        label,
        icon,
        inputs,
        outputs,
      })),
      channels: notifier.channels().map(({ id, label, settings }) => ({
        id,
        label,
        plugin: ctx.registry('notificationChannels').ownerOf(id) ?? '',
        settings,
      })),
      channels_off: channelsOff(),
    }),
  };
}
export type Kinds = ReturnType<typeof createKinds>;

function withTrigger(
  definition: AutomationDefinition,
  settings: AutomationSettings | undefined,
): AutomationDefinition {
  return settings === undefined
    ? definition
    : { ...definition, trigger: { ...definition.trigger, settings } };
}

function inOrder<Item extends { readonly order?: number }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((left, right) => (left.order ?? 100) - (right.order ?? 100));
}
