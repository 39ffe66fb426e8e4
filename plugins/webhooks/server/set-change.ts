import type { ChangedSet, OutboxEvent, TableHandle } from '@trellis/sdk/server';
import type { TemplateValues, TrellisError } from '@trellis/sdk/shared';
import { hookErrors } from './hook-errors.ts';
import type { Hook } from './hook-store.ts';

/** Why a webhook does not report a set of rows, by codes that pages translate. */
const setCodes = ['HOOK_SET_ROWS', 'HOOK_SET_CONDITIONS'] as const;

/** An event whose rows were too many to store one by one. */
export interface SetEvent extends OutboxEvent {
  readonly change: OutboxEvent['change'] & { readonly set: ChangedSet };
}

export function isSetEvent(event: OutboxEvent): event is SetEvent {
  return event.change.set !== undefined;
}

/** Whether a webhook may report rows of a set: one for certain columns reports none if none of them was set. */
export function mayMeanSet(
  { operation, settings: { columns } }: Hook,
  { change: { set } }: SetEvent,
): boolean {
  return operation !== 'update' || columns.length === 0 || columns.some((id) => set.columns.includes(id));
}

/** Why a webhook cannot report a set; undefined if it can. */
export function untellable(hook: Hook, { change: { set } }: SetEvent): TrellisError | undefined {
  const { batch, view_id: viewId, condition } = hook.settings;
  const { count } = set;
  if (!batch) return hookErrors.create('HOOK_SET_ROWS', { count });
  const isAsked = condition === true && hook.filters.length + hook.before.length > 0;
  if (viewId !== null || isAsked) return hookErrors.create('HOOK_SET_CONDITIONS', { count });
  return undefined;
}

/** The values for templates for a set of rows: those of a batch, with the number of its rows and without the rows. */
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

/** The number of rows in the set of a message; undefined for a message with named rows. */
export function rowsOfSet({ event }: TemplateValues): number | undefined {
  const { set, count } = (event ?? {}) as { readonly set?: unknown; readonly count?: unknown };
  return set === true && typeof count === 'number' ? count : undefined;
}

/** Why a set was not reported, as a code with its values. */
export function setRefusalOf(error: string | undefined, count: number | undefined) {
  if (error === undefined || count === undefined) return undefined;
  const code = setCodes.find((one) => hookErrors.create(one, { count }).message === error);
  return code && { code, params: { count } };
}
