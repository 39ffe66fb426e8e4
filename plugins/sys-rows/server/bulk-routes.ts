import {
  auditText,
  defineRoute,
  RowStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { deletionEntities } from './deletion-entity.ts';
import { tableOf, writeAnswer } from './data-routes.ts';
import { rowErrors } from './row-errors.ts';
import {
  readConsent,
  readCopies,
  readKeys,
  readPlace,
  readRow,
  readRowQuery,
  readRows,
  type DataQuery,
} from './row-query.ts';

const mostDeletions = 50;
const bulkBodyLimit = 50 * 1024 * 1024;

/** Many rows in one call and one transaction, and undoing such a call. */
export function bulkRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const rowStore = ctx.get(RowStoreToken);
  const toDeletionEntity = deletionEntities(ctx);
  const path = '/api/v1/db/data/bulk/:orgs/:project/:table';
  const object = { kind: 'data', project: 'project', table: 'table' } as const;
  const shared = { object, bodyLimit: bulkBodyLimit };
  return [
    defineRoute<Record<string, string>, DataQuery>({
      ...shared,
      method: 'POST',
      path,
      permission: 'bulkDataInsert',
      summary: 'Add many rows',
      handle: async (request) =>
        writeAnswer(
          await rowStore.createMany(tableOf(request), readRows(request.body), {
            place: readPlace(request),
          }),
        ),
    }),
    defineRoute<Record<string, string>, DataQuery>({
      ...shared,
      method: 'POST',
      path: `${path}/copies`,
      permission: 'bulkDataInsert',
      summary: 'Add copies of rows, each with the values that it gets and the key of its row',
      async handle(request) {
        const { rows, copyOf } = readCopies(request.body);
        const place = readPlace(request);
        return writeAnswer(await rowStore.createMany(tableOf(request), rows, { place, copyOf }));
      },
    }),
    defineRoute<Record<string, string>, DataQuery>({
      ...shared,
      method: 'POST',
      path: `${path}/move`,
      permission: 'bulkDataUpdate',
      summary: 'Put rows beside another one',
      async handle(request) {
        const place = readPlace(request);
        if (place === undefined) throw rowErrors.create('PARAMETER_MISSING', { parameter: 'before' });
        const answer = await rowStore.move(tableOf(request), readKeys(request.body), place);
        return writeAnswer({ ...answer, result: { rows: answer.result } });
      },
    }),
    defineRoute({
      ...shared,
      method: 'PATCH',
      path,
      permission: 'bulkDataUpdate',
      summary: 'Change many rows, each named by its key',
      handle: async (request) =>
        writeAnswer(await rowStore.updateMany(tableOf(request), readRows(request.body))),
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      path,
      permission: 'bulkDataDelete',
      summary: 'Delete many rows, each named by its key',
      handle: async (request) =>
        writeAnswer(await rowStore.deleteMany(tableOf(request), readRows(request.body))),
    }),
    defineRoute<Record<string, string>, DataQuery>({
      ...shared,
      method: 'PATCH',
      path: `${path}/all`,
      permission: 'bulkDataUpdate',
      summary: 'Change every row that meets a condition',
      handle: async (request) =>
        writeAnswer(
          await rowStore.updateAll(
            tableOf(request),
            readRowQuery(request.query),
            readRow(request.body),
            readConsent(request.query),
          ),
        ),
    }),
    defineRoute<Record<string, string>, DataQuery>({
      ...shared,
      method: 'DELETE',
      path: `${path}/all`,
      permission: 'bulkDataDelete',
      summary: 'Delete every row that meets a condition',
      handle: async (request) =>
        writeAnswer(
          await rowStore.deleteAll(tableOf(request), readRowQuery(request.query), readConsent(request.query)),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/data/operations/:project/deletions',
      permission: 'deletionList',
      object: { kind: 'data', project: 'project' },
      summary: 'List the last writes that deleted rows which are still gone; taking one back restores them',
      async handle({ scope }) {
        const deletions = await rowStore.deletions(scope, { limit: mostDeletions });
        return { list: deletions.map(toDeletionEntity) };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/db/data/operations/:project/deletions/:operationId',
      permission: 'deletionPurge',
      object: { kind: 'data', project: 'project' },
      summary: 'Forget for good what rows held that a listed write deleted',
      async handle({ scope, params, principal, ip }) {
        const rows = await rowStore.purge(scope, params.operationId ?? '', (count) => ({
          type: 'DATA',
          subType: 'PURGE',
          principal,
          ip,
          ...(scope.projectId !== undefined && { projectId: scope.projectId }),
          description: auditText('{{count}} deleted rows were deleted for good', { count: String(count) }),
        }));
        return { rows };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/db/data/operations/:project/:operationId/undo',
      permission: 'bulkDataUpdate',
      object: { kind: 'data', project: 'project' },
      summary: 'Take a write back',
      handle: async (request) => {
        const answer = await rowStore.undo(request.scope, request.params.operationId ?? '');
        const { result: rows, purged } = answer;
        return writeAnswer({ ...answer, result: { rows, ...(purged > 0 && { purged }) } });
      },
    }),
  ];
}
