import type { Principal, RowHistoryEntry, ValuesByColumn } from '@trellis/sdk/server';
import type { RowEvent } from '../shared/index.ts';

const none: ValuesByColumn = {};

/** An entry of the log as the caller may see it: visitors of a link do not learn who the members are. */
export function toRowEvent({ seq, change }: RowHistoryEntry, { kind }: Principal): RowEvent {
  const { op, before = none, after = none, actorEmail, at, origin, isPurged = false } = change;
  const isMember = kind === 'user' || kind === 'token';
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return {
    id: seq,
    op,
    at: new Date(at).toISOString(),
    user: isMember ? actorEmail : null,
    isUndo: origin === 'undo',
    isPurged,
    cells: [...ids].map((id) => ({
      fk_column_id: id,
      before: before[id] ?? null,
      after: after[id] ?? null,
    })),
  };
}
