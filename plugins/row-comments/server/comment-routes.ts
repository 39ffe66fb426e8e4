import {
  AuditLogToken,
  BusToken,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  RowStoreToken,
  type Principal,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { commentsObjectKind, longestComment } from '../shared/index.ts';
import { commentErrors } from './comment-errors.ts';
import { toComment, toDataEntry } from './comment-entities.ts';
import type { CommentRow, CommentStore } from './comment-store.ts';
import { ofComment, requireComment, type CommentPlaces } from './place-of-comments.ts';
import { createTellMentioned } from './tell-mentioned.ts';

interface RowOfQuery {
  readonly fk_model_id: string;
  readonly row_id: string;
  readonly comments_only?: string;
}

interface CountQuery {
  readonly fk_model_id: string;
  readonly ids: string | readonly string[];
}

interface CommentBody {
  readonly fk_model_id: string;
  readonly row_id: string;
  readonly description?: string | null;
  /** The name in the published client. */
  readonly comment?: string | null;
}

const path = '/api/v1/db/meta/audits/comments';
const id = { type: 'string', minLength: 1, maxLength: 40 } as const;
const rowId = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const text = { type: ['string', 'null'], maxLength: 100_000 } as const;
/** The most rows whose comments one call counts. */
const mostCounted = 1000;
const rate = { name: 'row-comments', limit: 60, windowSeconds: 60 };
/** The most changes of a row that are listed with its comments. */
const mostChanges = 200;

function textOf({ description, comment }: Pick<CommentBody, 'description' | 'comment'>): string {
  const given = (description ?? comment ?? '').trim();
  if (given === '') throw commentErrors.create('COMMENT_EMPTY');
  if (given.length > longestComment) throw commentErrors.create('COMMENT_LONG', { limit: longestComment });
  return given;
}

const inQuery = { kind: 'table', param: 'fk_model_id', in: 'query' } as const;
const inBody = { kind: 'table', param: 'fk_model_id', in: 'body' } as const;

/** The calls about comments on rows. */
export function commentRoutes(
  ctx: ServerPluginContext,
  { store, places }: { readonly store: CommentStore; readonly places: CommentPlaces },
): readonly RouteDefinition[] {
  const rows = ctx.get(RowStoreToken);
  const audit = ctx.get(AuditLogToken);
  const limiter = ctx.get(RateLimiterToken);
  const bus = ctx.get(BusToken);
  const tellMentioned = createTellMentioned(ctx, places);

  function announce({ project_id: projectId, table_id: tableId }: CommentRow, requestId: string): void {
    bus.publish('objects.changed', { projectId, objectKind: commentsObjectKind(tableId), requestId });
  }

  return [
    defineRoute<Record<string, string>, RowOfQuery>({
      method: 'GET',
      path,
      permission: 'commentList',
      object: inQuery,
      summary:
        'List the comments on a row, the newest first; with what was done to the row unless `comments_only` is true',
      schemas: {
        query: {
          type: 'object',
          required: ['fk_model_id', 'row_id'],
          properties: { fk_model_id: id, row_id: rowId, comments_only: { type: 'string' } },
        },
      },
      async handle({ principal, scope, query }) {
        const asked = { scope, permission: 'commentList' };
        const { handle, key } = await places.row(asked, query.fk_model_id, query.row_id);
        const comments = await store.ofRow(handle.table.id, key);
        const list = comments.map((comment) => toComment(comment, handle.table, principal));
        if (query.comments_only === 'true') return list;
        const changes = await rows.history(handle, key, { limit: mostChanges, withLinks: true });
        return [...list, ...changes.map((entry) => toDataEntry(entry, handle.table, principal))].toSorted(
          (a, b) => b.created_at.localeCompare(a.created_at),
        );
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, CommentBody>({
      method: 'POST',
      path,
      permission: 'commentRow',
      object: inBody,
      summary: 'Comment on a row',
      schemas: {
        body: {
          type: 'object',
          required: ['fk_model_id', 'row_id'],
          properties: { fk_model_id: id, row_id: rowId, description: text, comment: text },
        },
      },
      async handle({ principal, scope, body, id: requestId, ip }) {
        const said = textOf(body);
        const { handle, key } = await places.row(
          { scope, permission: 'commentRow' },
          body.fk_model_id,
          body.row_id,
        );
        await limiter.consume(rate, principal.id);
        const { table } = handle;
        const comment = await store.add({
          project_id: table.projectId,
          table_id: table.id,
          row_key: key,
          account_id: principal.id,
          email: principal.email,
          text: said,
        });
        await audit.record({
          type: 'COMMENT',
          principal,
          ip,
          projectId: table.projectId,
          baseId: table.baseId,
          tableId: table.id,
          rowKey: key,
          description: `Row ${key} of ${table.title} was commented on`,
        });
        await tellMentioned(comment, '', requestId);
        announce(comment, requestId);
        return new RouteAnswer({ body: '' });
      },
    }),
    defineRoute<Record<string, string>, CountQuery>({
      method: 'GET',
      path: `${path}/count`,
      permission: 'commentsCount',
      object: inQuery,
      summary: 'Count the comments on rows; rows without any are left out',
      schemas: {
        query: {
          type: 'object',
          required: ['fk_model_id', 'ids'],
          properties: {
            fk_model_id: id,
            ids: { anyOf: [rowId, { type: 'array', maxItems: mostCounted, items: rowId }] },
          },
        },
      },
      async handle({ scope, query }) {
        const handle = await places.table({ scope, permission: 'commentsCount' }, query.fk_model_id);
        const counts = [...(await store.counts(handle.table.id, [query.ids].flat()))];
        const isWhole = handle.scope.rowPredicate(handle.table.id) === undefined;
        const shown = await Promise.all(
          counts.map(async ([key, count]) =>
            isWhole || (await places.exists(handle, key)) ? [{ row_id: key, count }] : [],
          ),
        );
        return shown.flat();
      },
    }),
    defineRoute<
      Record<string, string>,
      Record<string, unknown>,
      Pick<CommentBody, 'description' | 'comment'>
    >({
      method: 'PATCH',
      path: `${path}/:commentId`,
      permission: 'commentRow',
      object: ofComment,
      summary: 'Change the text of an own comment',
      schemas: { body: { type: 'object', properties: { description: text, comment: text } } },
      async handle(request) {
        const { comment, handle } = requireComment(request);
        if (!isBy(comment, request.principal)) throw commentErrors.create('COMMENT_NOT_OWN');
        const said = textOf(request.body);
        await limiter.consume(rate, request.principal.id);
        await store.change(comment.id, said);
        await tellMentioned({ ...comment, text: said }, comment.text, request.id);
        announce(comment, request.id);
        return toComment({ ...comment, text: said, changed_at: Date.now() }, handle.table, request.principal);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:commentId`,
      permission: 'commentRow',
      object: ofComment,
      summary: 'Delete an own comment; owners and creators delete those of others too',
      async handle(request) {
        const { comment, handle } = requireComment(request);
        if (!isBy(comment, request.principal) && !handle.scope.may('commentModerate'))
          throw commentErrors.create('COMMENT_NOT_OWN');
        await store.delete(comment.id);
        announce(comment, request.id);
        return true;
      },
    }),
  ];
}

function isBy(comment: CommentRow, { id: accountId }: Principal): boolean {
  return comment.account_id === accountId;
}
