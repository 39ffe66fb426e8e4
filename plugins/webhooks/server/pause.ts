import { BusToken, type ServerPluginContext } from '@trellis/sdk/server';
import { hooksObjectKind } from '../shared/index.ts';
import { hookErrors } from './hook-errors.ts';
import type { Hook, HookStore } from './hook-store.ts';
import type { PauseCode } from './pause-codes.ts';
import { tellPaused, type WaitingLimits } from './tell-owner.ts';

export type Pause = (hookId: string, reason: PauseCode | { readonly message: string }) => Promise<void>;

/** Pauses webhooks and tells those who look after them, once. */
export function createPause(ctx: ServerPluginContext<WaitingLimits>, hooks: Pick<HookStore, 'change'>) {
  const bus = ctx.get(BusToken);
  const tell = (hook: Hook) => {
    bus.publish('objects.changed', { projectId: hook.projectId, objectKind: hooksObjectKind, requestId: '' });
    return tellPaused(ctx, hook);
  };
  const pause: Pause = async (hookId, reason) => {
    const { message } = typeof reason === 'string' ? hookErrors.create(reason) : reason;
    let isNew = false;
    const hook = await hooks.change(hookId, ({ paused }) => {
      isNew = paused === undefined;
      return { paused: paused ?? message };
    });
    if (hook !== undefined && isNew) await tell(hook);
  };
  return { pause, tell };
}
