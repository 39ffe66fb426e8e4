import type { ChannelUser } from '@trellis/sdk/server';
import { automationsByChannel } from '../shared/index.ts';
import type { AutomationStore } from './automation-store.ts';
import type { Kinds } from './kinds.ts';

/** Tells whoever switches a channel off how many automations tell by it. */
export function automationsOfChannels(deps: {
  readonly automations: AutomationStore;
  readonly kinds: Kinds;
  readonly limits: () => { readonly waitingDays: number };
}): ChannelUser {
  const { automations, kinds, limits } = deps;
  return {
    id: 'automations',
    label: 'Automations',
    async count({ id }) {
      const active = await automations.ofActive();
      return active.filter(({ definition }) => kinds.channelIds(definition).includes(id)).length;
    },
    usage: ({ channel, count }) => ({
      message: automationsByChannel,
      params: { channel: channel.label, number: count, days: limits().waitingDays },
    }),
  };
}
