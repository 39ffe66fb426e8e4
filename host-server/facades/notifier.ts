import {
  defineErrors,
  describeProblems,
  keepMaskedSecrets,
  maskSecrets,
  problemsByField,
  retargetedSecrets,
  validateSettings,
  type RegistryView,
  type SchemaProblem,
} from '@trellis/core';
import type { NotificationChannel, Notifier } from '@trellis/sdk/server';
import type { SettingsSchema } from '@trellis/sdk/shared';
import type { AdapterCalls } from './adapter-calls.ts';

const notifierErrors = defineErrors({
  CHANNEL_DISABLED: {
    status: 409,
    message: "The notification channel '{channel}' belongs to a plugin that is switched off.",
  },
  CHANNEL_SETTINGS: { status: 400, message: "'{channel}' cannot send with these settings: {description}" },
});

const limit = 30_000;
/** Stands for the schema of a channel that nobody registers: any of its settings may be a secret. */
const allSecret: SettingsSchema = { type: 'object', additionalProperties: { format: 'secret' } };

/** Whether a channel can tell whether it is set up. */
function canSay(
  channel: NotificationChannel,
): channel is NotificationChannel & { readonly isConfigured: () => boolean } {
  return channel.isConfigured !== undefined;
}

function schemaNow(channel: NotificationChannel): SettingsSchema {
  return channel.settingsNow?.() ?? channel.settings;
}

function refusal(channel: string, problems: readonly SchemaProblem[]): Error {
  return notifierErrors.create('CHANNEL_SETTINGS', {
    channel,
    description: describeProblems(problems).replaceAll('\n', '; '),
    problems: problemsByField(problems),
  });
}

/** See `Notifier`. */
export function createNotifier(deps: {
  readonly channels: RegistryView<NotificationChannel>;
  readonly calls: AdapterCalls;
}): Notifier {
  function found(channel: string) {
    const entry = deps.channels.entries().find(({ item }) => item.id === channel);
    if (entry === undefined) throw notifierErrors.create('CHANNEL_DISABLED', { channel });
    return entry;
  }

  function checked(
    { label }: NotificationChannel,
    schema: SettingsSchema,
    given: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    const outcome = validateSettings(schema, given);
    if (outcome.kind !== 'invalid') return outcome.value;
    throw refusal(label, outcome.problems);
  }

  function schemaOf(channel: string): SettingsSchema {
    const item = deps.channels.get(channel);
    return item === undefined ? allSecret : schemaNow(item);
  }

  return {
    channels: () =>
      deps.channels.entries().map(({ item, owner }) => ({
        id: item.id,
        label: item.label,
        icon: item.icon,
        settings: schemaNow(item),
        pluginId: owner,
        isReady: !canSay(item) || deps.calls.isReady({ item, owner }),
      })),
    masked: (channel, settings) => maskSecrets(schemaOf(channel), settings),
    unmasked(channel, given, stored) {
      const schema = schemaOf(channel);
      const moved = retargetedSecrets(schema, given, stored);
      if (moved.length > 0) throw refusal(deps.channels.get(channel)?.label ?? channel, moved);
      return keepMaskedSecrets(schema, given, stored);
    },
    check(channel, given) {
      const { item } = found(channel);
      checked(item, schemaNow(item), given);
    },
    async send(channel, given, notification) {
      const { item, owner } = found(channel);
      const settings = checked(item, item.settings, given);
      const run = (signal: AbortSignal) => item.send(settings, notification, { signal });
      await deps.calls.call({ owner, what: `send by ${item.label}`, limit, run });
    },
  };
}
