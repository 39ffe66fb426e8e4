import {
  auditText,
  defineRoute,
  logPageOf,
  logQuerySchema,
  toPageInfo,
  type Bus,
  type LogQuery,
  type Principal,
  type RouteDefinition,
} from '@trellis/sdk/server';
import { readUtc } from '@trellis/sdk/shared';
import { secretsObjectKind } from '../shared/index.ts';
import type { Again, DeliveryStore, LoggedDelivery } from './delivery-store.ts';
import { toDeliveryEntity } from './hook-entities.ts';
import { hookErrors } from './hook-errors.ts';
import { ofHook, requireHook } from './hook-places.ts';
import { newSigningSecret, type Hook, type HookStore } from './hook-store.ts';
import { isOwnerLost } from './pause-codes.ts';
import type { RecordHook } from './record.ts';
import type { createAssertSeesWholeRows, createSeesWholeRows } from './sees-whole-rows.ts';

type NoQuery = Record<string, unknown>;

const meta = '/api/v1/db/meta/hooks/:hookId';
const day = 24 * 3600_000;
/** ISO 8601 in UTC, as `toISOString` writes it. */
const moment =
  '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,3})?Z$';

interface ReplayBody {
  readonly ids?: readonly string[];
  /** A time range, which may be open at either end; `to` is excluded. */
  readonly from?: string;
  readonly to?: string;
}

/**
 * @throws TrellisError 400 `HOOK_MOMENT` for a day that its month does not have, which would otherwise count as one of the next
 *   month
 */
function momentOf(text: string): number {
  const at = readUtc(text);
  if (at === undefined) throw hookErrors.create('HOOK_MOMENT', { moment: text });
  return at;
}

function chosenIn({ ids, from, to }: ReplayBody): Again | undefined {
  if (ids !== undefined) return { ids };
  if (from === undefined && to === undefined) return undefined;
  return {
    from: from === undefined ? 0 : momentOf(from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : momentOf(to),
  };
}

function withoutRequests(of: LoggedDelivery): LoggedDelivery {
  const earlier = of.earlier.map((one) => ({ ...one, request: undefined }));
  return { ...of, request: undefined, earlier };
}

/** The log of a webhook's events, and the secret that signs its requests. */
export function logRoutes(deps: {
  readonly hooks: HookStore;
  readonly deliveries: DeliveryStore;
  readonly drop: (hookId: string) => Promise<number>;
  readonly wake: (hookId: string) => void;
  readonly resume: (hook: Hook, by: Principal) => Promise<void>;
  readonly note: RecordHook;
  readonly record: RecordHook;
  readonly bus: Bus;
  readonly seesWholeRows: ReturnType<typeof createSeesWholeRows>;
  readonly assertSeesWholeRows: ReturnType<typeof createAssertSeesWholeRows>;
}): readonly RouteDefinition[] {
  const { hooks, deliveries, drop, wake, resume, note, record, bus, seesWholeRows, assertSeesWholeRows } =
    deps;

  return [
    defineRoute<Record<string, string>, LogQuery>({
      method: 'GET',
      path: `${meta}/deliveries`,
      permission: 'hookList',
      object: ofHook,
      summary: 'List what became of the events of a webhook, the newest first',
      schemas: { query: logQuerySchema },
      handle: async (request) => {
        const found = requireHook(request);
        const page = logPageOf(request.query);
        const { list, total } = await deliveries.log(found.hook.id, page);
        // Sent requests contain whole rows.
        const isWhole = await seesWholeRows(found.handle);
        return {
          list: list.map((of) => toDeliveryEntity(isWhole ? of : withoutRequests(of))),
          pageInfo: toPageInfo(page, total),
        };
      },
    }),
    defineRoute<Record<string, string>, NoQuery, ReplayBody>({
      method: 'POST',
      path: `${meta}/deliveries/replay`,
      permission: 'hookUpdate',
      object: ofHook,
      summary:
        'Send events of a webhook again: those that are named or of a stretch of time, otherwise all that did not arrive',
      schemas: {
        body: {
          type: 'object',
          properties: {
            ids: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 60 } },
            from: { type: 'string', pattern: moment },
            to: { type: 'string', pattern: moment },
          },
        },
      },
      handle: async (request) => {
        const found = requireHook(request);
        const count = await deliveries.again(found.hook.id, chosenIn(request.body));
        // A request by hand does not wait for the next retry time of the receiver.
        await hooks.change(found.hook.id, () => ({ retryAt: 0 }));
        wake(found.hook.id);
        const said = { count: String(count), title: found.hook.settings.title };
        const text = auditText('{{count}} events of the webhook {{title}} are sent again', said);
        await record(request, found.hook, 'REPLAYED', text);
        return { count };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${meta}/deliveries/drop`,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Drop what waits for a webhook and is not on its way. Gives how many events they were',
      handle: async (request): Promise<{ readonly count: number }> => {
        const found = requireHook(request);
        const count = await drop(found.hook.id);
        const said = { count: String(count), title: found.hook.settings.title };
        const text = auditText('{{count}} waiting events of the webhook {{title}} were dropped', said);
        await record(request, found.hook, 'DROPPED', text);
        return { count };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${meta}/resume`,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Let a paused webhook go on; what waits for it is sent at once',
      handle: async (request) => {
        const { hook, handle } = requireHook(request);
        // The person who takes it over is responsible for what it sends.
        if (isOwnerLost(hook)) await assertSeesWholeRows(handle);
        await resume(hook, request.principal);
        const { title } = hook.settings;
        await record(request, hook, 'RESUMED', auditText('The webhook {{title}} goes on', { title }));
        return { msg: 'success' };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/secret`,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Read the secret by which the requests of a webhook are signed',
      handle: async (request) => {
        const found = requireHook(request);
        const { title } = found.hook.settings;
        const text = auditText('The secret of the webhook {{title}} was read', { title });
        await note(request, found.hook, 'SECRET_READ', text);
        return { secret: found.hook.secrets.current };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${meta}/secret`,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Give a webhook another secret; for a day its requests are signed by both',
      handle: async (request) => {
        const found = requireHook(request);
        const changed = await hooks.change(found.hook.id, ({ secrets }) => ({
          secrets: {
            current: newSigningSecret(),
            previous: { secret: secrets.current, until: Date.now() + day },
          },
        }));
        const { title } = found.hook.settings;
        const text = auditText('The webhook {{title}} was given another secret', { title });
        await record(request, found.hook, 'SECRET_CHANGED', text);
        const { projectId } = found.hook;
        bus.publish('objects.changed', { projectId, objectKind: secretsObjectKind, requestId: request.id });
        return { secret: changed?.secrets.current };
      },
    }),
  ];
}
