export * from './mentions.ts';

/**
 * A comment, or a change of its row listed with it, in the form for clients of the v1 API; times are `YYYY-MM-DD HH:mm:ss` in UTC.
 */
export interface CommentEntity {
  readonly id: string;
  /** The e-mail address of the author; null for callers who may not know it. */
  readonly user: string | null;
  readonly ip: null;
  readonly base_id: string | null;
  readonly project_id: string;
  readonly fk_model_id: string;
  readonly row_id: string;
  readonly op_type: 'COMMENT' | 'DATA';
  readonly op_sub_type: string | null;
  readonly status: null;
  /** The text, or a short description of the change. */
  readonly description: string;
  /** HTML: the changed cells of the row. */
  readonly details: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Whether the text was edited. */
  readonly is_edited: boolean;
  /** Whether the caller may change it. */
  readonly is_own: boolean;
  /** Ids of the changed columns. */
  readonly columns: readonly string[];
}

/** The most characters of a comment. */
export const longestComment = 5000;

/** The kind of the live event for changed comments on rows of a table. */
export function commentsObjectKind(tableId: string): string {
  return `comments:${tableId}`;
}
