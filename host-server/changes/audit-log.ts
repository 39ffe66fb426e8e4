import type { AuditEntry, AuditLog } from '@trellis/sdk/server';
import { newId } from '../metadata/ids.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { storedRowKey } from './stored-row-key.ts';

/** Records what is neither a row nor a schema change: sign-ins, passwords, plugins. */
export function createAuditLog({ database }: Metadata): AuditLog {
  return {
    async record(entry: AuditEntry) {
      await database.write((unit) =>
        unit.run(
          unit.knex('trellis_audit').insert({
            id: newId('audit'),
            type: entry.type,
            sub_type: entry.subType ?? null,
            user_id: entry.principal.id || null,
            user_email: entry.principal.email || null,
            ip: entry.ip ?? null,
            project_id: entry.projectId ?? null,
            base_id: entry.baseId ?? null,
            table_id: entry.tableId ?? null,
            row_key: entry.rowKey === undefined ? null : storedRowKey(entry.rowKey),
            description: entry.description,
            at: Date.now(),
          }),
        ),
      );
    },
  };
}
