import {
  defineErrors,
  describeProblems,
  problemsByField,
  validateSettings,
  type RegistryView,
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

/** Whether a channel can tell whether it is set up. */
function canSay(
  channel: NotificationChannel,
): channel is NotificationChannel & { readonly isConfigured: () => boolean } {
  return channel.isConfigured !== undefined;
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
    throw notifierErrors.create('CHANNEL_SETTINGS', {
      channel: label,
      description: describeProblems(outcome.problems).replaceAll('\n', '; '),
      problems: problemsByField(outcome.problems),
    });
  }

  return {
    channels: () =>
      deps.channels.entries().map(({ item, owner }) => ({
        id: item.id,
        label: item.label,
        icon: item.icon,
        settings: item.settingsNow?.() ?? item.settings,
        pluginId: owner,
        isReady: !canSay(item) || deps.calls.isReady({ item, owner }),
      })),
    check(channel, given) {
      const { item } = found(channel);
      checked(item, item.settingsNow?.() ?? item.settings, given);
    },
    async send(channel, given, notification) {
      const { item, owner } = found(channel);
      const settings = checked(item, item.settings, given);
      const run = (signal: AbortSignal) => item.send(settings, notification, { signal });
      await deps.calls.call({ owner, what: `send by ${item.label}`, limit, run });
    },
  };
}
