import type { NoticeKind } from '@trellis/sdk/server';
import type { CommentStore } from './comment-store.ts';

/** Creates a function that returns the words of a notice's comment, for people who may read comments on the row. */
export function createSays(store: Pick<CommentStore, 'byId'>): NonNullable<NoticeKind['says']> {
  return async ({ about, rowKey, handle }) => {
    if (!handle.scope.may('commentList')) return undefined;
    const comment = await store.byId(about);
    return comment?.table_id === handle.table.id && comment.row_key === rowKey ? comment.text : undefined;
  };
}
