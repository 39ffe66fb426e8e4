import type { AccessScope, AuditChange, AuditText, Principal } from '@trellis/sdk/server';
import type { Unit } from '../sql/unit.ts';
import type { WrittenRows } from './columns/fill-column.ts';

/** The author of a change, as the log records them. An `AccessScope` is one. */
export interface SchemaChangeAuthor extends Pick<AccessScope, 'requestId'> {
  readonly principal: Pick<Principal, 'id' | 'email'>;
}

/** The log entry of a change to tables, columns or views. */
export interface SchemaChange {
  readonly scope: SchemaChangeAuthor;
  /** PROJECT, TABLE, TABLE_COLUMN or VIEW. */
  readonly auditType: string;
  /** CREATED, UPDATED, DELETED or RENAMED. */
  readonly auditSubType: string;
  readonly projectId: string;
  readonly baseId?: string;
  readonly tableId?: string;
  readonly description: string | AuditText;
  /** The fields that changed. */
  readonly changes?: readonly AuditChange[];
}

/** Writes the change's entry to the log, in the transaction that makes the change. */
export type RecordSchemaChange = (unit: Unit, change: SchemaChange) => Promise<void>;

/** Called after the commit; runs the hook `schema.didChange` and informs browsers. */
export type AnnounceSchemaChange = (event: {
  readonly projectId: string;
  readonly tableId?: string;
  readonly viewId?: string;
  readonly requestId: string;
}) => void;

/** Finds in the log which rows of a table were written. */
export type FindWrittenRows = (tableId: string) => WrittenRows;
