import {
  auditSentence,
  auditDetails,
  AuditLogToken,
  defineRoute,
  RouteAnswer,
  toPageInfo,
  type AccessScope,
  type AuditFilter,
  type AuditRecord,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { readUtc, wireTime, type Page } from '@trellis/sdk/shared';
import type { AuditEntity } from '../shared/index.ts';
import { auditErrors } from './audit-errors.ts';

/** The requested entries. Times are ISO 8601, the second one excluded. */
interface AuditQuery {
  readonly limit?: string;
  readonly offset?: string;
  readonly user?: string;
  readonly op_type?: string;
  readonly fk_model_id?: string;
  readonly from?: string;
  readonly until?: string;
}

const meta = '/api/v1/db/meta';
const usualLimit = 25;
const largestLimit = 1000;
const count = { type: 'string', pattern: '^\\d{1,9}$' } as const;
const moment = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
} as const;
const querySchema = {
  type: 'object',
  properties: {
    limit: count,
    offset: count,
    user: { type: 'string', maxLength: 254 },
    op_type: { type: 'string', maxLength: 40 },
    fk_model_id: { type: 'string', maxLength: 40 },
    from: moment,
    until: moment,
  },
} as const;

/** The audit log of a project, and of the server outside projects. */
export function auditRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const audit = ctx.get(AuditLogToken);

  /** Of the scope's project, or without one, the entries of no project. */
  async function pageOf(scope: AccessScope, query: AuditQuery): Promise<Page<AuditEntity>> {
    const limit = Math.min(Math.max(Number(query.limit ?? usualLimit), 1), largestLimit);
    const offset = Number(query.offset ?? 0);
    const page = { limit, offset };
    const { records, totalRows, isAtLeast } = await audit.page(scope, page, filterOf(query));
    // People who share a project must not see each other's IP addresses.
    const shown = scope.may('serverAuditList')
      ? records
      : records.map((record) => ({ ...record, ip: undefined }));
    const pageInfo = { ...toPageInfo(page, totalRows), ...(isAtLeast && { isAtLeast }) };
    return { list: shown.map(toEntity), pageInfo };
  }

  return [
    defineRoute<Record<string, string>, AuditQuery>({
      method: 'GET',
      path: `${meta}/projects/:projectId/audits`,
      permission: 'auditList',
      object: { kind: 'project', param: 'projectId' },
      summary: 'List what was done in a project, the newest first',
      schemas: { query: querySchema },
      handle: ({ scope, query }) => pageOf(scope, query),
    }),
    defineRoute<Record<string, string>, AuditQuery>({
      method: 'GET',
      path: 'audits',
      permission: 'serverAuditList',
      summary: 'List what was done outside of projects, the newest first: sign-ins, accounts, plugins',
      schemas: { query: querySchema },
      handle: ({ scope, query }) => pageOf(scope, query),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly fk_model_id: string }>({
      method: 'POST',
      path: `${meta}/audits/rows/:rowId/update`,
      permission: 'auditRowUpdate',
      object: { kind: 'table', param: 'fk_model_id', in: 'body' },
      summary:
        'Take note of a change of a cell: clients send this beside the change, which is in the audit already',
      schemas: {
        body: {
          type: 'object',
          required: ['fk_model_id'],
          properties: { fk_model_id: { type: 'string', maxLength: 40 } },
        },
      },
      async handle({ body, scope }) {
        scope.inTable(body.fk_model_id).require('auditRowUpdate');
        return new RouteAnswer({ body: '' });
      },
    }),
  ];
}

/** An empty text sets no filter, since a form may send all of its fields. */
function filterOf({ user, op_type, fk_model_id, from, until }: AuditQuery): AuditFilter {
  return {
    email: user?.trim().toLowerCase() || undefined,
    type: op_type || undefined,
    tableId: fk_model_id || undefined,
    from: momentOf(from),
    until: momentOf(until),
  };
}

/** @throws TrellisError `AUDIT_MOMENT` for a day or an hour that does not exist. */
function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = readUtc(text);
  if (at === undefined) throw auditErrors.create('AUDIT_MOMENT', { moment: text });
  return at;
}

function toEntity(record: AuditRecord): AuditEntity {
  const time = wireTime(record.at);
  return {
    id: record.id,
    user: record.principal.email || null,
    ip: record.ip ?? null,
    base_id: record.baseId ?? null,
    project_id: record.projectId ?? null,
    fk_model_id: record.tableId ?? null,
    table_title: record.tableTitle ?? null,
    row_id: record.rowKey ?? null,
    row_count: record.rowCount ?? null,
    op_type: record.type,
    op_sub_type: record.subType ?? null,
    status: null,
    description: record.description,
    said: record.said ?? null,
    details: auditDetails(record.changes ?? []),
    changes: (record.changes ?? []).map(({ what, from, to }) => ({
      what: auditSentence(what),
      is_word: typeof what !== 'string',
      from: from ?? null,
      to: to ?? null,
    })),
    created_at: time,
    updated_at: time,
  };
}
