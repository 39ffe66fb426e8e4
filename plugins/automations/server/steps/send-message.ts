import {
  filledChannelSettings,
  NotifierToken,
  type AutomationStep,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { textsIn } from '@trellis/sdk/shared';
import { messageSend } from '../../shared/index.ts';

interface Channel {
  readonly id: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Tells somebody over a channel of a plugin. */
export function sendMessageStep(ctx: ServerPluginContext): AutomationStep {
  const notifier = ctx.get(NotifierToken);
  return {
    ...messageSend,
    check({ channel }) {
      const { id, settings } = channel as Channel;
      notifier.check(id, settings);
    },
    prepare({ settings, values, fill, isOpen, idempotencyKey }) {
      const channel = settings.channel as Channel;
      const filled = filledChannelSettings(channel.settings, fill);
      const text = fill(settings.text);
      if (!textsIn(channel.settings).some(isOpen)) notifier.check(channel.id, filled);
      const label = notifier.channels().find(({ id }) => id === channel.id)?.label ?? channel.id;
      return Promise.resolve({
        shown: { channel: [label, ...placesIn(filled)].join(': '), text },
        expected: {},
        async take() {
          await notifier.send(channel.id, filled, { id: idempotencyKey, title: '', text, payload: values });
          return { output: {} };
        },
      });
    },
  };
}

/** The places of the channel that are written to, as one text. */
function placesIn(settings: Channel['settings']): readonly string[] {
  const places = Object.values(settings).flatMap((value) =>
    Array.isArray(value) ? (value as unknown[]) : [],
  );
  const names = places.filter((place) => typeof place === 'string');
  return names.length === 0 ? [] : [names.join(', ')];
}
