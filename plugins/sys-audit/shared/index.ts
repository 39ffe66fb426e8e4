/** A line of the audit as it travels; times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface AuditEntity {
  readonly id: string;
  readonly user: string | null;
  /** From where it was done: told to who may read the audit of the server. */
  readonly ip: string | null;
  readonly base_id: string | null;
  readonly project_id: string | null;
  readonly fk_model_id: string | null;
  /** What the table is called now: an extra of ours. */
  readonly table_title: string | null;
  readonly row_id: string | null;
  /** How many rows the call was about: an extra of ours. */
  readonly row_count: number | null;
  readonly op_type: string;
  readonly op_sub_type: string | null;
  readonly status: null;
  readonly description: string;
  /** The description as it was told, where it can be said in other languages; an extra of ours. */
  readonly said?: { readonly text: string; readonly values: Readonly<Record<string, string>> } | null;
  /** HTML: each change with what was struck through and what is marked. */
  readonly details: string | null;
  /** The same for pages, which show no HTML of a server: an extra of ours. */
  readonly changes: readonly AuditChangeEntity[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** One thing that was changed. */
export interface AuditChangeEntity {
  readonly what: string;
  /** Whether `what` is a word of ours, which pages translate, and no title of a column. */
  readonly is_word: boolean;
  readonly from: string | null;
  readonly to: string | null;
}

/** The kinds of lines of a project, by which the audit can be asked. */
export const auditTypes = [
  'DATA',
  'COMMENT',
  'PROJECT',
  'TABLE',
  'TABLE_COLUMN',
  'VIEW',
  'WEBHOOKS',
  'AUTOMATIONS',
  'SCHEDULES',
  'META',
  'AUTHENTICATION',
] as const;

/** The kinds of lines of what belongs to no project. */
export const serverAuditTypes = ['AUTHENTICATION', 'META'] as const;
