import { readRequestTemplate, replacesSchema, type TableSchema } from '@trellis/sdk/server';
import {
  isPrintable,
  nestsDeeperThan,
  openPlaceholder,
  readFilterNodes,
  textsIn,
  type FilterNode,
  type JsonSchema,
} from '@trellis/sdk/shared';
import {
  defaultBody,
  hookOperations,
  isSameType,
  ownTypes,
  type HookNotification,
  type HookOperation,
  type Moment,
} from '../shared/index.ts';
import type { ChannelSettings } from './channels.ts';
import { hookErrors } from './hook-errors.ts';
import { idsOf, newId, type Hook, type HookSettings } from './hook-store.ts';

/** A webhook as sent by clients; absent properties stay unchanged. */
export interface HookBody {
  readonly id?: string | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly env?: string | null;
  readonly type?: string | null;
  readonly event?: string | null;
  readonly operation?: string | null;
  readonly async?: boolean | number | null;
  readonly payload?: boolean | number | null;
  readonly url?: string | null;
  readonly headers?: string | null;
  readonly condition?: boolean | number | null;
  readonly notification?: string | Readonly<Record<string, unknown>> | null;
  readonly retries?: number | null;
  readonly retry_interval?: number | null;
  readonly timeout?: number | null;
  readonly active?: boolean | number | null;
  readonly columns?: readonly string[] | null;
  readonly view_id?: string | null;
  readonly batch?: boolean | number | null;
  /** The trees that replace the former ones; an absent one stays. */
  readonly conditions?: { readonly [When in Moment]?: readonly unknown[] | null } | null;
  /** The revision that the caller changed. */
  readonly replaces?: string | null;
}

/** The parts of a webhook that people set. */
export interface HookInput {
  readonly operation: HookOperation;
  readonly active: boolean;
  readonly settings: HookSettings;
}

const text = (maxLength: number): JsonSchema => ({ type: ['string', 'null'], maxLength });
const flag: JsonSchema = { enum: [true, false, 0, 1, null] };
const count: JsonSchema = { type: ['integer', 'null'], minimum: 0, maximum: 1_000_000 };

const trees: JsonSchema = { type: ['array', 'null'], maxItems: 100, items: { type: 'object' } };

export const hookBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    id: text(40),
    title: text(1000),
    description: text(10_000),
    env: text(40),
    type: text(100),
    event: { type: ['string', 'null'], pattern: '^(?:[aA][fF][tT][eE][rR]|[bB][eE][fF][oO][rR][eE])$' },
    operation: { type: ['string', 'null'], pattern: '^(?:insert|update|delete)$' },
    async: flag,
    payload: flag,
    url: text(10_000),
    headers: text(100_000),
    condition: flag,
    notification: { type: ['string', 'object', 'null'], maxLength: 500_000 },
    retries: count,
    retry_interval: count,
    timeout: count,
    active: flag,
    columns: { type: ['array', 'null'], maxItems: 1000, items: { type: 'string', maxLength: 40 } },
    batch: flag,
    view_id: text(40),
    conditions: { type: ['object', 'null'], properties: { after: trees, before: trees } },
    replaces: replacesSchema,
  },
};

const longestTitle = 255;
/** The deepest nesting of lists and objects in a notification's settings. */
const deepest = 32;

/**
 * Parses a webhook; properties that the body lacks come from `before`.
 *
 * @param channels refuse a notification that cannot be sent with its settings; an unchanged one is not checked
 * @throws TrellisError 400
 */
export function readHook(
  body: HookBody,
  table: TableSchema,
  channels: Pick<ChannelSettings, 'check' | 'unmasked'>,
  before?: HookInput,
): HookInput {
  const was = before?.settings;
  const title = (body.title ?? was?.title ?? '').trim();
  if (title === '' || title.length > longestTitle || !isPrintable(title))
    throw hookErrors.create('HOOK_TITLE');
  const columns = body.columns ?? was?.columns ?? [];
  const unknown = body.columns?.find((id) => !table.columnById.has(id));
  if (unknown !== undefined) throw hookErrors.create('HOOK_COLUMN', { column: unknown });
  const said = <Key extends keyof HookSettings & keyof HookBody>(key: Key, otherwise: HookSettings[Key]) =>
    body[key] === undefined ? (was?.[key] ?? otherwise) : (body[key] as HookSettings[Key]);
  const flagOf = (key: 'async' | 'payload' | 'batch') =>
    body[key] === undefined ? (was?.[key] ?? false) : Boolean(body[key]);
  return {
    operation: hookOperations.find((known) => known === body.operation) ?? before?.operation ?? 'insert',
    active:
      body.active === undefined || body.active === null ? (before?.active ?? true) : Boolean(body.active),
    settings: {
      title,
      description: said('description', null),
      env: said('env', 'all') ?? 'all',
      type: said('type', null),
      event: (body.event?.toLowerCase() as 'after' | 'before' | undefined) ?? was?.event ?? 'after',
      async: flagOf('async'),
      payload: flagOf('payload'),
      url: said('url', null),
      headers: said('headers', null),
      condition:
        body.condition === undefined
          ? (was?.condition ?? null)
          : body.condition === null
            ? null
            : Boolean(body.condition),
      retries: said('retries', null),
      retry_interval: said('retry_interval', null),
      timeout: said('timeout', null),
      columns,
      batch: flagOf('batch'),
      view_id: said('view_id', null) || null,
      notification:
        body.notification === undefined || body.notification === null
          ? (was?.notification ?? readNotification({ type: 'URL', payload: {} }, { channels }))
          : readNotification(body.notification, { channels, was: was?.notification }),
    },
  };
}

function readNotification(
  given: string | Readonly<Record<string, unknown>>,
  {
    channels,
    was,
  }: { readonly channels: Pick<ChannelSettings, 'check' | 'unmasked'>; readonly was?: HookNotification },
): HookNotification {
  const { type: named, payload } = asObject(given);
  if (typeof named !== 'string' || named === '') throw hookErrors.create('HOOK_NOTIFICATION');
  const type = ownTypes.find((own) => isSameType(own, named)) ?? named;
  const settings = typeof payload === 'string' || isObject(payload) ? asObject(payload) : {};
  // Settings sent as a text were not validated with the body.
  if (nestsDeeperThan(settings, deepest)) throw hookErrors.create('HOOK_NOTIFICATION');
  const read: HookNotification =
    type === 'URL'
      ? { type, payload: { ...readRequestTemplate(settings, defaultBody) } }
      : channels.unmasked({ type, payload: { ...settings, ...namesIn(settings.channels) } }, was);
  if (JSON.stringify(read) !== JSON.stringify(was)) {
    checkPlaceholders(read);
    channels.check(read);
  }
  return read;
}

function checkPlaceholders({ payload }: HookNotification): void {
  for (const text of textsIn(payload)) {
    const open = openPlaceholder(text);
    if (open !== undefined)
      throw hookErrors.create('HOOK_PLACEHOLDER_OPEN', { placeholder: open.text, line: open.line });
  }
}

/**
 * Clients of the v1 API send the channels of a chat with their addresses: the names are enough, and no secret is stored with a
 * webhook.
 */
function namesIn(channels: unknown): { readonly channels?: readonly unknown[] } {
  if (!Array.isArray(channels)) return {};
  return {
    channels: (channels as readonly unknown[]).map((of) =>
      isObject(of) && typeof of.channel === 'string' ? of.channel : of,
    ),
  };
}

function asObject(given: string | Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof given !== 'string') return given;
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    parsed = undefined;
  }
  if (!isObject(parsed)) throw hookErrors.create('HOOK_NOTIFICATION');
  return parsed;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses conditions from a request, and gives each an id. Only the id of a condition of the same webhook is kept: any other could
 * be somebody else's condition.
 */
export function readConditions(
  given: readonly unknown[],
  hook?: Pick<Hook, 'filters' | 'before'>,
): readonly FilterNode[] {
  const known = new Set(hook === undefined ? [] : idsOf([...hook.filters, ...hook.before]));
  const nodes = readFilterNodes(given, () => hookErrors.create('HOOK_FILTER'));
  const withIds = (of: readonly FilterNode[], sent: readonly unknown[]): readonly FilterNode[] =>
    of.map((node, index): FilterNode => {
      const { id, children } = isObject(sent[index]) ? sent[index] : {};
      const own = typeof id === 'string' && known.has(id) ? id : newId('fi');
      if (node.kind === 'condition') {
        if (node.columnId === '' || node.operator === '') throw hookErrors.create('HOOK_FILTER');
        return { ...node, id: own };
      }
      return { ...node, id: own, children: withIds(node.children, Array.isArray(children) ? children : []) };
    });
  return withIds(nodes, given);
}

/** The same conditions for another webhook. */
export function withNewIds(nodes: readonly FilterNode[]): readonly FilterNode[] {
  return nodes.map((node): FilterNode => {
    const own = { ...node, id: newId('fi') };
    return own.kind === 'group' ? { ...own, children: withNewIds(own.children) } : own;
  });
}

/**
 * The tree with a condition added at the end of its group.
 *
 * @throws TrellisError `HOOK_FILTER_MISSING` for an unknown group
 */
export function withCondition(
  nodes: readonly FilterNode[],
  added: FilterNode,
  parentId: string | undefined,
): readonly FilterNode[] {
  const put = (of: readonly FilterNode[]): readonly FilterNode[] =>
    of.map((node) => {
      if (node.kind !== 'group') return node;
      return { ...node, children: node.id === parentId ? [...node.children, added] : put(node.children) };
    });
  if (parentId === undefined) return [...nodes, added];
  if (!hasGroup(nodes, parentId)) throw hookErrors.create('HOOK_FILTER_MISSING');
  return put(nodes);
}

function hasGroup(nodes: readonly FilterNode[], id: string): boolean {
  return nodes.some((node) => node.kind === 'group' && (node.id === id || hasGroup(node.children, id)));
}
