export * from './mentions.ts';

/** A comment, or with it what was done to its row, as clients of the v1 API read it; times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface CommentEntity {
  readonly id: string;
  /** The e-mail address of who wrote it; null for callers who are not told. */
  readonly user: string | null;
  readonly ip: null;
  readonly base_id: string | null;
  readonly project_id: string;
  readonly fk_model_id: string;
  readonly row_id: string;
  readonly op_type: 'COMMENT' | 'DATA';
  readonly op_sub_type: string | null;
  readonly status: null;
  /** The text, or in a few words what was done. */
  readonly description: string;
  /** HTML: what a change of the row made of its cells. */
  readonly details: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Whether the text was changed after it was written. */
  readonly is_edited: boolean;
  /** Whether the caller may change it. */
  readonly is_own: boolean;
  /** Ids of the columns that were changed. */
  readonly columns: readonly string[];
}

/** Characters of a comment. */
export const longestComment = 5000;

/** The kind of live event that says that comments on rows of a table changed. */
export function commentsObjectKind(tableId: string): string {
  return `comments:${tableId}`;
}
