import { BusToken, type ServerPluginContext } from '@trellis/sdk/server';
import { hooksObjectKind } from '../shared/index.ts';
import { hookErrors } from './hook-errors.ts';
import type { Hook, HookStore } from './hook-store.ts';
import { tellPaused } from './tell-owner.ts';

/** Why a webhook is paused by itself, in words that pages have in their language. */
export const pauseCodes = ['HOOK_LOOP', 'HOOK_VIEW_GONE', 'HOOK_VALUE_GONE', 'HOOK_ALL_REFUSED'] as const;
export type PauseCode = (typeof pauseCodes)[number];

export type Pause = (hookId: string, reason: PauseCode | { readonly message: string }) => Promise<void>;

/** Pauses webhooks and tells their owners, once. */
export function createPause(ctx: ServerPluginContext, hooks: Pick<HookStore, 'change'>) {
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

/** The code of a reason that is one of `pauseCodes`. */
export function pauseCodeOf(paused: string | undefined): PauseCode | null {
  return pauseCodes.find((code) => hookErrors.create(code).message === paused) ?? null;
}
