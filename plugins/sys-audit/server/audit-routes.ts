import {
  AccessServiceToken,
  AuditLogToken,
  defineRoute,
  RouteAnswer,
  toPageInfo,
  type AuditRecord,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';

interface AuditQuery {
  readonly limit?: string;
  readonly offset?: string;
}

/** A line of the audit as it travels; times are `YYYY-MM-DD HH:mm:ss` in UTC. */
interface AuditEntity {
  readonly id: string;
  readonly user: string | null;
  readonly ip: string | null;
  readonly base_id: string | null;
  readonly project_id: string | null;
  readonly fk_model_id: string | null;
  readonly row_id: string | null;
  readonly op_type: string;
  readonly op_sub_type: string | null;
  readonly status: null;
  readonly description: string;
  readonly details: null;
  readonly created_at: string;
  readonly updated_at: string;
}

const meta = '/api/v1/db/meta';
const usualLimit = 25;
const largestLimit = 1000;
const count = { type: 'string', pattern: '^\\d{1,9}$' } as const;

/** What was done in a project. */
export function auditRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const audit = ctx.get(AuditLogToken);
  const access = ctx.get(AccessServiceToken);

  return [
    defineRoute<Record<string, string>, AuditQuery>({
      method: 'GET',
      path: `${meta}/projects/:projectId/audits`,
      permission: 'auditList',
      object: { kind: 'project', param: 'projectId' },
      summary: 'List what was done in a project, the newest first',
      schemas: { query: { type: 'object', properties: { limit: count, offset: count } } },
      async handle({ scope, query }) {
        const limit = Math.min(Math.max(Number(query.limit ?? usualLimit), 1), largestLimit);
        const offset = Number(query.offset ?? 0);
        const [records, totalRows] = await Promise.all([
          audit.list(scope, { limit, offset }),
          audit.count(scope),
        ]);
        return { list: records.map(toEntity), pageInfo: toPageInfo({ limit, offset }, totalRows) };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly fk_model_id: string }>({
      method: 'POST',
      path: `${meta}/audits/rows/:rowId/update`,
      // The table stands in the body; its rights are judged below.
      permission: 'signedIn',
      summary:
        'Take note of a change of a cell: clients send this beside the change, which is in the audit already',
      schemas: {
        body: {
          type: 'object',
          required: ['fk_model_id'],
          properties: { fk_model_id: { type: 'string', maxLength: 40 } },
        },
      },
      async handle({ body, principal, id }) {
        const projectId = await access.locate('table', body.fk_model_id);
        const scope = await access.scopeFor(principal, projectId ?? '', id);
        scope.require('auditRowUpdate');
        return new RouteAnswer({ body: '' });
      },
    }),
  ];
}

function toEntity(record: AuditRecord): AuditEntity {
  const time = new Date(record.at).toISOString().slice(0, 19).replace('T', ' ');
  return {
    id: record.id,
    user: record.principal.email || null,
    ip: record.ip ?? null,
    base_id: record.baseId ?? null,
    project_id: record.projectId ?? null,
    fk_model_id: record.tableId ?? null,
    row_id: record.rowKey ?? null,
    op_type: record.type,
    op_sub_type: record.subType ?? null,
    status: null,
    description: record.description,
    details: null,
    created_at: time,
    updated_at: time,
  };
}
