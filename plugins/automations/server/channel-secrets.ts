import { NotifierToken, type ServerPluginContext } from '@trellis/sdk/server';
import type { AutomationSettings } from '@trellis/sdk/shared';
import type { AutomationDefinition, StepDefinition } from '../shared/index.ts';
import type { Kinds } from './kinds.ts';
import { refusalIn } from './refusal-in.ts';

/** What a step holds for an input of the kind `channel`. */
interface ChosenChannel {
  readonly id: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Hides the secrets of the channels by which steps tell people, and puts them back. */
export interface ChannelSecrets {
  /** The definition as answers show it: the secrets are masks. */
  masked<Of extends Pick<AutomationDefinition, 'steps'>>(definition: Of): Of;
  /**
   * Steps that came back, with the secrets of the stored ones in place of their masks.
   *
   * @throws TrellisError 400 where a secret would go elsewhere
   */
  unmasked(steps: readonly StepDefinition[], stored: readonly StepDefinition[]): readonly StepDefinition[];
}

export function createChannelSecrets(ctx: ServerPluginContext, kinds: Kinds): ChannelSecrets {
  const notifier = ctx.get(NotifierToken);
  /** The step with other settings of its channels. */
  function changed(
    step: StepDefinition,
    change: (channel: ChosenChannel, input: string) => ChosenChannel['settings'],
  ): StepDefinition {
    const inputs = kinds.step(step.type)?.inputs ?? [];
    const channels = inputs.flatMap(({ id, kind }) => {
      const chosen = kind === 'channel' ? channelIn(step.settings, id) : undefined;
      return chosen === undefined ? [] : [[id, { ...chosen, settings: change(chosen, id) }]];
    });
    return channels.length === 0
      ? step
      : { ...step, settings: { ...step.settings, ...(Object.fromEntries(channels) as AutomationSettings) } };
  }
  return {
    masked: (definition) => ({
      ...definition,
      steps: definition.steps.map((step) =>
        changed(step, ({ id, settings }) => notifier.masked(id, settings)),
      ),
    }),
    unmasked: (steps, stored) =>
      steps.map((step) => {
        const former = stored.find(({ id, type }) => id === step.id && type === step.type);
        try {
          return changed(step, ({ id, settings }, input) => {
            const was = former && channelIn(former.settings, input);
            return notifier.unmasked(id, settings, was?.id === id ? was.settings : {});
          });
        } catch (error) {
          throw refusalIn(step.name, error);
        }
      }),
  };
}

/** The channel that settings name; undefined for what is none. */
function channelIn(of: AutomationSettings, input: string): ChosenChannel | undefined {
  const { id, settings } = (of[input] ?? {}) as Partial<ChosenChannel>;
  return typeof id === 'string' && typeof settings === 'object' && settings !== null
    ? { id, settings }
    : undefined;
}
