import type { Change, ValuesByColumn } from '@trellis/sdk/server';
import type { Knex } from 'knex';
import type { Metadata } from '../metadata/metadata.ts';

interface ChangeRow {
  readonly id: string;
  readonly operation_id: string;
  readonly kind: Change['kind'];
  readonly op: Change['op'];
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly project_id: string | null;
  readonly base_id: string | null;
  readonly table_id: string | null;
  readonly row_key: string | null;
  readonly long_row_key: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly origin: string;
  readonly request_id: string | null;
  readonly at: number | string;
}

/** The recorded changes of a question, in the order in which they were made. */
export async function readChanges(
  { database }: Metadata,
  narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<readonly Change[]> {
  const rows = await database.read((unit) =>
    unit.all<ChangeRow>(narrow(unit.knex('trellis_change').select('*').orderBy('at').orderBy('id'))),
  );
  return rows.map((row) => ({
    id: row.id,
    operationId: row.operation_id,
    kind: row.kind,
    op: row.op,
    actorId: row.actor_id ?? '',
    actorEmail: row.actor_email ?? '',
    projectId: row.project_id ?? '',
    baseId: row.base_id ?? '',
    tableId: row.table_id ?? '',
    rowKey: row.long_row_key ?? row.row_key ?? undefined,
    before: values(row.before),
    after: values(row.after),
    origin: row.origin,
    requestId: row.request_id ?? '',
    at: Number(row.at),
  }));
}

function values(text: string | null): ValuesByColumn | undefined {
  return text === null ? undefined : (JSON.parse(text) as ValuesByColumn);
}
