import {
  AccessServiceToken,
  PasswordHasherToken,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  VisitorLimitToken,
  type AccessScope,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
  type ViewSchema,
} from '@trellis/sdk/server';
import { TrellisError, type Predicate } from '@trellis/sdk/shared';
import { linkErrors } from './link-errors.ts';
import { LinkPasswords } from './link-passwords.ts';
import { isOver, type ViewLink, type ViewLinks } from './links.ts';
import { createVisitors, permissionsFor, type VisitorAct } from './visitors.ts';
import { columnNarrowings, visibleColumns, type VisibleOf } from './visible-columns.ts';

/** The parts of a request with a view's link. */
export type VisitRequest = Pick<RouteRequest, 'id' | 'ip' | 'headers' | 'params'>;

/** A visitor of a link's view, with the right for one kind of access. */
export interface Visit extends VisibleOf {
  readonly link: ViewLink;
  readonly view: ViewSchema;
  /** The visitor's rights in the project before a call limits them. */
  readonly whole: AccessScope;
  /** The conditions that rows must meet to exist for the visitor, by table id. */
  readonly rows: ReadonlyMap<string, Predicate>;
}

/** Admits visitors by their links. */
export interface Visits {
  readonly passwords: LinkPasswords;
  /**
   * The view as its visitors may use it: the handle's scope is limited to what the view shows.
   *
   * @throws TrellisError 404 for an invalid link, or one of another kind; 403 for a wrong password; 429 for an address that reads
   *   too often.
   */
  open(request: VisitRequest, act: VisitorAct): Promise<Visit>;
  /** The link of a view, as long as it is open and shows a column. */
  stillShown(viewId: string, columnId: string): Promise<ViewLink | undefined>;
}

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createVisits(ctx: ServerPluginContext, links: ViewLinks): Visits {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const viewTypes = ctx.registry('viewTypes');
  const types = ctx.registry('columnTypes');
  const visitor = createVisitors();
  const passwords = new LinkPasswords({
    hasher: ctx.get(PasswordHasherToken),
    limiter: ctx.get(RateLimiterToken),
  });
  const visits = ctx.get(VisitorLimitToken);

  async function linkOf({ params, headers, ip }: VisitRequest): Promise<ViewLink> {
    const uuid = params.uuid ?? '';
    const link = uuidShape.test(uuid) ? await links.byUuid(uuid) : undefined;
    if (link === undefined || isOver(link)) throw linkErrors.create('SHARED_VIEW_NOT_FOUND');
    await passwords.check(link, headers['xc-password'], ip);
    return link;
  }

  /** The view before its limits are applied; its deletion is not revealed. */
  async function viewOf(link: ViewLink, requestId: string): Promise<TableHandle> {
    const scope = await access.scopeFor(visitor(link.uuid), link.projectId, requestId);
    try {
      return await schema.open(scope, link.tableId, link.viewId);
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500)
        throw linkErrors.create('SHARED_VIEW_NOT_FOUND', {}, { cause: error });
      throw error;
    }
  }

  return {
    passwords,
    async stillShown(viewId, columnId) {
      const link = await links.ofView(viewId);
      if (link === undefined || isOver(link)) return undefined;
      const handle = await viewOf(link, '').catch((error: unknown) => {
        if (error instanceof TrellisError && error.status === 404) return undefined;
        throw error;
      });
      const type = handle?.view && viewTypes.get(handle.view.type);
      // A visitor who fills in a form cannot read any of its rows, including their own files.
      if (handle === undefined || type?.sharing?.visitors !== 'read') return undefined;
      return visibleColumns({ handle, type, types }).some(({ id }) => id === columnId) ? link : undefined;
    },
    async open(request, act) {
      // Sending has separate limits.
      if (act !== 'submit') await visits.take(request.ip);
      const link = await linkOf(request);
      const whole = await viewOf(link, request.id);
      const { view } = whole;
      const type = view && viewTypes.get(view.type);
      const isSubmit = act === 'submit' || act === 'candidates';
      if (view === undefined || type?.sharing === undefined) throw linkErrors.create('SHARED_VIEW_NOT_FOUND');
      if (act !== 'look' && isSubmit !== (type.sharing.visitors === 'submit'))
        throw linkErrors.create('SHARED_VIEW_NOT_FOUND');
      const of = { handle: whole, type, types };
      const conditions = [
        await rows.conditionOf(whole),
        await rows.conditionOf(whole, {
          filters:
            type.sharing.conditions?.(view.meta ?? {}, (id) => whole.table.columnById.get(id)?.meta) ?? [],
          reader: whole.scope.principal,
        }),
      ].filter((condition) => condition !== undefined);
      const shownRows = new Map<string, Predicate>(
        conditions.length > 0 ? [[whole.table.id, { kind: 'and', items: conditions }]] : [],
      );
      const scope = access.narrow(whole.scope, {
        permissions: new Set<string>(permissionsFor[act]),
        columns: columnNarrowings({
          ...of,
          withSources: act !== 'linked' && !isSubmit,
          isWritten: act === 'submit',
        }),
        rows: shownRows,
      });
      const handle = await schema.open(scope, link.tableId, link.viewId);
      return { ...of, link, view, handle, whole: whole.scope, rows: shownRows };
    },
  };
}
