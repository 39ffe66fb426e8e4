/** An entry of the audit log in answers; times are `YYYY-MM-DD HH:mm:ss` in UTC. */
export interface AuditEntity {
  readonly id: string;
  readonly user: string | null;
  /** The IP address; only for readers of the server's audit log. */
  readonly ip: string | null;
  readonly base_id: string | null;
  readonly project_id: string | null;
  readonly fk_model_id: string | null;
  /** The current title of the table; an extension of the v1 API. */
  readonly table_title: string | null;
  readonly row_id: string | null;
  /** How many rows the call changed; an extension of the v1 API. */
  readonly row_count: number | null;
  readonly op_type: string;
  readonly op_sub_type: string | null;
  readonly status: null;
  readonly description: string;
  /** The description in a translatable form, if there is one; an extension of the v1 API. */
  readonly said?: { readonly text: string; readonly values: Readonly<Record<string, string>> } | null;
  /** HTML: each change with the removed and the added text marked. */
  readonly details: string | null;
  /** The same for pages, which show no HTML from a server; an extension of the v1 API. */
  readonly changes: readonly AuditChangeEntity[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** One change. */
export interface AuditChangeEntity {
  readonly what: string;
  /** Whether `what` is a text that pages translate, and not the title of a column. */
  readonly is_word: boolean;
  readonly from: string | null;
  readonly to: string | null;
}

/** The types of entries of a project, for filtering. */
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

/** The types of entries of no project. */
export const serverAuditTypes = ['AUTHENTICATION', 'META'] as const;
