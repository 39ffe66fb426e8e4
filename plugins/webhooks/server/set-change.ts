import type { ChangedSet, OutboxEvent, TableHandle } from '@trellis/sdk/server';
import type { TemplateValues, TrellisError } from '@trellis/sdk/shared';
import { hookErrors } from './hook-errors.ts';
import type { Hook } from './hook-store.ts';

/** Why a webhook is not told of a set of rows, in words that pages have in their language. */
const setCodes = ['HOOK_SET_ROWS', 'HOOK_SET_CONDITIONS'] as const;

/** An event whose rows were too many to remember one by one. */
export interface SetEvent extends OutboxEvent {
  readonly change: OutboxEvent['change'] & { readonly set: ChangedSet };
}

export function isSetEvent(event: OutboxEvent): event is SetEvent {
  return event.change.set !== undefined;
}

/** Whether a webhook may mean rows of a set: one that goes by columns of which none was set means none of them. */
export function mayMeanSet(
  { operation, settings: { columns } }: Hook,
  { change: { set } }: SetEvent,
): boolean {
  return operation !== 'update' || columns.length === 0 || columns.some((id) => set.columns.includes(id));
}

/** Why a webhook cannot tell of a set; undefined where it can. */
export function untellable(hook: Hook, { change: { set } }: SetEvent): TrellisError | undefined {
  const { batch, view_id: viewId, condition } = hook.settings;
  const { count } = set;
  if (!batch) return hookErrors.create('HOOK_SET_ROWS', { count });
  const isAsked = condition === true && hook.filters.length + hook.before.length > 0;
  if (viewId !== null || isAsked) return hookErrors.create('HOOK_SET_CONDITIONS', { count });
  return undefined;
}

/** What templates take from for a set of rows: what a batch has, with the number of its rows and without them. */
export function setPayload(
  { id, seq, change }: SetEvent,
  { table }: TableHandle,
  hook: Hook,
): TemplateValues {
  const { op, set, actorId, actorEmail, at } = change;
  const isByName = hook.settings.event === 'before';
  const columns = set.columns.flatMap((columnId) => {
    const column = table.columnById.get(columnId);
    if (column === undefined || column.type === 'ForeignKey') return [];
    return [isByName ? column.columnName : column.title];
  });
  return {
    data: [],
    previous: op === 'update' ? [] : null,
    user: { id: actorId, email: actorEmail },
    table: { id: table.id, title: table.title },
    event: {
      id,
      type: `${hook.settings.event}.${op}`,
      operation: op,
      set: true,
      rows: [],
      count: set.count,
      columns,
      sequence: seq,
      at: new Date(at).toISOString(),
    },
  };
}

/** How many rows were in the set of which a message tells; undefined for a message of rows that it names. */
export function rowsOfSet({ event }: TemplateValues): number | undefined {
  const { set, count } = (event ?? {}) as { readonly set?: unknown; readonly count?: unknown };
  return set === true && typeof count === 'number' ? count : undefined;
}

/** Why a set was not told of, as a code with its values. */
export function setRefusalOf(error: string | undefined, count: number | undefined) {
  if (error === undefined || count === undefined) return undefined;
  const code = setCodes.find((one) => hookErrors.create(one, { count }).message === error);
  return code && { code, params: { count } };
}
