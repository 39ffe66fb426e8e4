import { setTimeout as after } from 'node:timers/promises';
import {
  SchemaStoreToken,
  type ButtonPress,
  type Operation,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { sendByButton } from '../shared/index.ts';
import type { DeliveryProgress, DeliveryStore } from './delivery-store.ts';
import { hookErrors } from './hook-errors.ts';
import type { HookStore } from './hook-store.ts';
import type { RunByHand } from './run-by-hand.ts';

/** Milliseconds: how long a person waits for the receiver, the wait before the first check, and the longest between checks. */
const patience = 5000;
const firstPause = 50;
const longestPause = 800;

/**
 * The operation of buttons: sends the row by a webhook of its table, which a person who may try webhooks chose. Any person who may
 * press buttons and see the row can press it, and learns whether the receiver accepted it.
 */
export function pressOperation(
  ctx: ServerPluginContext,
  deps: {
    readonly hooks: Pick<HookStore, 'byId' | 'ofTables'>;
    readonly deliveries: Pick<DeliveryStore, 'stateOf'>;
    readonly run: RunByHand;
  },
): Operation {
  const { hooks, deliveries, run } = deps;
  const schema = ctx.get(SchemaStoreToken);

  /** The event once it was tried, or after the person's longest wait. */
  async function tried(
    hookId: string,
    eventId: string,
    signal: AbortSignal,
  ): Promise<DeliveryProgress | undefined> {
    const until = Date.now() + patience;
    for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
      const event = await deliveries.stateOf(hookId, eventId);
      if (event === undefined || event.state !== 'waiting' || event.error !== undefined) return event;
      const left = until - Date.now();
      if (left <= 0) return event;
      await after(Math.min(pause, left), undefined, { signal });
    }
  }

  return {
    id: sendByButton.id,
    summary: 'Tell of the row of a button by a webhook of its table',
    permission: 'buttonPress',
    button: {
      label: sendByButton.label,
      choices: {
        label: sendByButton.choiceLabel,
        async list(scope, tableId) {
          if (!scope.may('hookTest')) return [];
          const own = await hooks.ofTables([tableId]);
          return own
            .filter(({ operation, projectId }) => operation !== 'delete' && projectId === scope.projectId)
            .map(({ id, settings }) => ({ id, label: settings.title }));
        },
      },
    },
    async run({ input, scope, signal, idempotencyKey }) {
      const { tableId, rowKey, choice } = input as ButtonPress;
      const hook = choice === '' ? undefined : await hooks.byId(choice);
      // A copy of a table keeps its buttons, but has no webhooks.
      if (hook === undefined || hook.tableId !== tableId || hook.projectId !== scope.projectId)
        throw hookErrors.create('HOOK_GONE');
      const handle = await schema.open(scope, tableId);
      const { principal, requestId } = scope;
      const [eventId = ''] = await run({
        hook,
        handle,
        rowKeys: [rowKey],
        principal,
        requestId,
        idempotencyKey,
      });
      // A stored event is retried until it arrives: a caller that retries by itself must not add further ones.
      if (idempotencyKey !== undefined) return undefined;
      const { title: webhook } = hook.settings;
      const event = await tried(hook.id, eventId, signal);
      if (event?.state === 'done') return undefined;
      const { status, error } = event ?? {};
      if (status !== undefined) throw hookErrors.create('HOOK_REFUSED', { webhook, status });
      throw hookErrors.create(error === undefined ? 'HOOK_NO_ANSWER' : 'HOOK_UNTOLD', { webhook });
    },
  };
}
