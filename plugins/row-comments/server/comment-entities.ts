import {
  auditChange,
  auditDetails,
  type Principal,
  type RowHistoryEntry,
  type TableSchema,
} from '@trellis/sdk/server';
import type { CommentEntity } from '../shared/index.ts';
import type { CommentRow } from './comment-store.ts';

/** The common properties of both kinds of entries. */
function placeOf({ projectId, baseId, id }: TableSchema) {
  return {
    ip: null,
    base_id: baseId,
    project_id: projectId,
    fk_model_id: id,
    status: null,
    details: null,
  } as const;
}

function timeOf(at: number | string): string {
  return new Date(Number(at)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Visitors of a link do not learn who the members are. */
function isMember({ kind }: Principal): boolean {
  return kind === 'user' || kind === 'token';
}

/** A comment as its reader may see it. */
export function toComment(comment: CommentRow, table: TableSchema, reader: Principal): CommentEntity {
  return {
    ...placeOf(table),
    id: comment.id,
    user: isMember(reader) ? comment.email : null,
    row_id: comment.row_key,
    op_type: 'COMMENT',
    op_sub_type: null,
    description: comment.text,
    created_at: timeOf(comment.created_at),
    updated_at: timeOf(comment.changed_at),
    is_edited: Number(comment.changed_at) !== Number(comment.created_at),
    is_own: comment.account_id === reader.id,
    columns: [],
  };
}

const words = { insert: 'inserted into', update: 'updated in', delete: 'deleted from' } as const;

/** The changed cells that the reader may see, by the titles of existing columns. */
function detailsOf({ change }: RowHistoryEntry, { columns }: TableSchema): string | null {
  const { before, after } = change;
  return auditDetails(
    columns.flatMap(({ id, title }) => auditChange(title, { from: before?.[id], to: after?.[id] }) ?? []),
  );
}

/** A change of a row, listed with its comments. */
export function toDataEntry(entry: RowHistoryEntry, table: TableSchema, reader: Principal): CommentEntity {
  const { seq, change } = entry;
  const time = timeOf(change.at);
  return {
    ...placeOf(table),
    details: detailsOf(entry, table),
    id: `adt_${seq}`,
    user: isMember(reader) ? change.actorEmail : null,
    row_id: change.rowKey ?? '',
    op_type: 'DATA',
    op_sub_type: change.op.toUpperCase(),
    description: `${change.rowKey ?? ''} ${words[change.op]} ${table.title}`,
    created_at: time,
    updated_at: time,
    is_edited: false,
    is_own: change.actorId === reader.id,
    columns: Object.keys({ ...change.before, ...change.after }),
  };
}
