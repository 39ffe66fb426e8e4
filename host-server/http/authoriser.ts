import type {
  AccessScope,
  AccessService,
  Principal,
  RouteRequest,
  SchemaStore,
  TableHandle,
} from '@trellis/sdk/server';
import type { Principals } from '../access/credentials/principals.ts';
import { accessErrors } from '../access/rights/access-scope.ts';
import { isVisitor } from '../access/rights/view-rights.ts';
import type { RouteEntry } from './route-table.ts';

const idShape = /^[a-z]{1,4}_[0-9a-z]{14,20}$/;

const none: NonNullable<RouteEntry['route']['object']> = { kind: 'none' };

function orNobodys(found: string | undefined | Promise<string | undefined>): string | Promise<string> {
  return found instanceof Promise ? found.then((id) => id ?? '') : (found ?? '');
}

/** What a request may touch. */
export interface Resolved {
  readonly scope: AccessScope;
  readonly object: RouteRequest['object'];
  readonly table: RouteRequest['table'];
}

/** Finds out who asks, what a path names, and whether the one may do this with the other. */
export interface Authoriser {
  principalOf(request: Pick<RouteRequest, 'headers' | 'cookies'>): Promise<Principal>;
  /** @throws TrellisError 401, 403 or 404. */
  authorise(
    entry: RouteEntry,
    principal: Principal,
    params: Readonly<Record<string, string>>,
    requestId: string,
  ): Promise<Resolved>;
}

export interface AuthoriserDependencies {
  readonly access: AccessService;
  readonly schema: SchemaStore;
  readonly principals: Principals;
}

export function createAuthoriser({ access, schema, principals }: AuthoriserDependencies): Authoriser {
  async function authorise(
    { route }: RouteEntry,
    principal: Principal,
    params: Record<string, string>,
    requestId: string,
  ): Promise<Resolved> {
    const isOpen = route.permission === 'public';
    if (route.permission === 'signedIn' && (principal.kind === 'guest' || isVisitor(principal)))
      throw accessErrors.create('UNAUTHORIZED');
    const named = await projectOf(route.object ?? none, params);
    const scope = await access.scopeFor(principal, named, requestId);
    if (!isOpen && route.permission !== 'signedIn') scope.require(route.permission);
    return { scope, object: { projectId: named }, table: await tableOf(route.object, params, scope) };
  }

  /**
   * The project that a path names. An id that was never issued gives a project that nobody is in, so that it answers exactly
   * like one of somebody else.
   */
  function projectOf(
    object: NonNullable<RouteEntry['route']['object']>,
    params: Record<string, string>,
  ): string | undefined | Promise<string> {
    switch (object.kind) {
      case 'none':
        return undefined;
      case 'data':
        return orNobodys(access.locateProject(params[object.project] ?? ''));
      default: {
        const id = params[object.param] ?? '';
        if (object.kind === 'project') return orNobodys(access.locateProject(id));
        return idShape.test(id) ? orNobodys(access.locate(object.kind, id)) : '';
      }
    }
  }

  function tableOf(
    object: RouteEntry['route']['object'],
    params: Record<string, string>,
    scope: AccessScope,
  ): TableHandle | undefined | Promise<TableHandle> {
    if (object?.kind !== 'data' || object.table === undefined) return undefined;
    const view = object.view === undefined ? undefined : (params[object.view] ?? '');
    return schema.open(scope, params[object.table] ?? '', view);
  }

  return { principalOf: (request) => principals.of(request), authorise };
}
