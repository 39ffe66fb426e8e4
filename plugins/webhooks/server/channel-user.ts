import type { ChannelUser } from '@trellis/sdk/server';
import { webhooksByChannel } from '../shared/index.ts';
import { isNamed } from './channels.ts';
import type { HookStore } from './hook-store.ts';

/** Tells whoever switches a channel off how many webhooks tell by it. */
export function hooksOfChannels(
  hooks: HookStore,
  limits: () => { readonly keptWaiting: number; readonly waitingDays: number },
): ChannelUser {
  return {
    id: 'webhooks',
    label: 'Webhooks',
    async count(channel) {
      return (await hooks.ofActive()).filter(({ settings }) => isNamed(channel, settings.notification.type))
        .length;
    },
    usage({ channel, count }) {
      const { keptWaiting, waitingDays } = limits();
      return {
        message: webhooksByChannel,
        params: { channel: channel.label, number: count, days: waitingDays, events: keptWaiting },
      };
    },
  };
}
