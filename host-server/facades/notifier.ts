import {
  defineErrors,
  describeProblems,
  problemsByField,
  validateSettings,
  type RegistryView,
} from '@trellis/core';
import type { NotificationChannel, Notifier } from '@trellis/sdk/server';
import type { AdapterCalls } from './adapter-calls.ts';

const notifierErrors = defineErrors({
  CHANNEL_DISABLED: {
    status: 409,
    message: "The notification channel '{channel}' belongs to a plugin that is switched off.",
  },
  CHANNEL_SETTINGS: { status: 400, message: "'{channel}' cannot send with these settings: {description}" },
});

const limit = 30_000;

/** See `Notifier`. */
export function createNotifier(deps: {
  readonly channels: RegistryView<NotificationChannel>;
  readonly calls: AdapterCalls;
}): Notifier {
  return {
    channels: () =>
      deps.channels.list().map(({ id, label, icon, settings }) => ({ id, label, icon, settings })),
    async send(channel, given, notification) {
      const found = deps.channels.entries().find(({ item }) => item.id === channel);
      if (found === undefined) throw notifierErrors.create('CHANNEL_DISABLED', { channel });
      const { item, owner } = found;
      const outcome = validateSettings(item.settings, given);
      if (outcome.kind === 'invalid') {
        throw notifierErrors.create('CHANNEL_SETTINGS', {
          channel: item.label,
          description: describeProblems(outcome.problems).replaceAll('\n', '; '),
          problems: problemsByField(outcome.problems),
        });
      }
      const settings = outcome.value;
      const run = (signal: AbortSignal) => item.send(settings, notification, { signal });
      await deps.calls.call({ owner, what: `send by ${item.label}`, limit, run });
    },
  };
}
