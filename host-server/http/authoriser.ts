import type { RegistryView } from '@trellis/core';
import {
  isVisitor,
  type AccessScope,
  type AccessService,
  type KeptObject,
  type ObjectHome,
  type Principal,
  type RouteDefinition,
  type RouteObject,
  type RouteRequest,
  type SchemaStore,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { Principals } from '../access/credentials/principals.ts';
import { accessErrors } from '../access/rights/access-scope.ts';
import type { RouteEntry } from './route-table.ts';

const idShape = /^[a-z]{1,4}_[0-9a-z]{14,20}$/;

const none: RouteObject = { kind: 'none' };

function orNobodys(found: string | undefined | Promise<string | undefined>): string | Promise<string> {
  return found instanceof Promise ? found.then((id) => id ?? '') : (found ?? '');
}

/** What a request may touch. */
export type Resolved = Pick<RouteRequest, 'scope' | 'object' | 'table' | 'kept'>;

/** The parts of a call that can name its object: the path, the query once it is validated, the body once it is read. */
export interface NamedBy {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What a plugin is asked on the way of a call to its handler. */
export interface PluginQuestion<T> {
  readonly owner: string;
  /** What is asked, as the plugin's errors are told: `find() of note`. */
  readonly where: string;
  readonly ask: () => Promise<T>;
}

/** Asks a plugin, within the time of the call. Errors are charged to the plugin. */
export type AskPlugin = <T>(question: PluginQuestion<T>) => Promise<T>;

/** The facts of a call that its authorisation needs. */
export interface JudgedCall {
  readonly entry: RouteEntry;
  readonly principal: Principal;
  readonly requestId: string;
  readonly askPlugin: AskPlugin;
}

/** Finds the caller and the object of a call, and whether the caller may do with it what the route does. */
export interface Authoriser {
  principalOf(request: Pick<RouteRequest, 'headers' | 'cookies'>): Promise<Principal>;
  /**
   * As long as that by which a route names its object is not there, only whether somebody asks at all.
   *
   * @throws TrellisError 401, 403 or 404.
   */
  authorise(call: JudgedCall, named: NamedBy): Promise<Resolved>;
}

export interface AuthoriserDependencies {
  readonly access: AccessService;
  readonly schema: SchemaStore;
  readonly principals: Principals;
  readonly objectHomes: RegistryView<ObjectHome>;
}

/** The part of a call that names its object. */
export function placeOfObject({ object = none }: Pick<RouteDefinition, 'object'>): 'path' | 'query' | 'body' {
  return 'in' in object ? (object.in ?? 'path') : 'path';
}

export function createAuthoriser(deps: AuthoriserDependencies): Authoriser {
  const { access, schema, principals, objectHomes } = deps;

  async function authorise(call: JudgedCall, named: NamedBy): Promise<Resolved> {
    const { principal, requestId } = call;
    const { route } = call.entry;
    const { permission, object = none } = route;
    if (permission === 'signedIn' && (principal.kind === 'guest' || isVisitor(principal)))
      throw accessErrors.create('UNAUTHORIZED');
    if (object.kind === 'kept')
      return authoriseKept(call, { ...object, id: named.params[object.param] ?? '' });
    const place = placeOfObject(route);
    if (place !== 'path' && named[place] === undefined) return outside(route, principal, requestId);
    const projectId = await projectOf(object, named);
    const scope = await access.scopeFor(principal, projectId, requestId);
    if (isJudged(route)) scope.require(permission);
    return { scope, object: { projectId }, table: await tableOf(object, named.params, scope) };
  }

  /** The result for a call whose object is not known yet, or does not exist for the caller. */
  async function outside(route: RouteDefinition, principal: Principal, requestId: string): Promise<Resolved> {
    if (isJudged(route) && principal.kind === 'guest') throw accessErrors.create('UNAUTHORIZED');
    return { scope: await access.scopeFor(principal, '', requestId), object: {} };
  }

  /** What a plugin keeps is judged in its project and table; what is not there for the caller, the route answers by itself. */
  async function authoriseKept(
    call: JudgedCall,
    { home, id }: { readonly home: string; readonly id: string },
  ): Promise<Resolved> {
    const { principal, requestId, askPlugin } = call;
    const { route } = call.entry;
    const absent = await outside(route, principal, requestId);
    const entry = objectHomes.entries().find(({ item }) => item.id === home);
    const where = `find() of ${home}`;
    const found =
      entry && (await askPlugin({ owner: entry.owner, where, ask: async () => entry.item.find(id) }));
    const resolved = found && (await seenBy(call, { ...entry, found }));
    if (resolved === undefined) {
      // Visitors of links cannot name such objects, so for them it is not there.
      if (isJudged(route) && isVisitor(principal)) throw accessErrors.create('UNAUTHORIZED');
      return absent;
    }
    if (isJudged(route)) (resolved.table?.scope ?? resolved.scope).require(route.permission);
    return resolved;
  }

  /** Undefined for an object of a project or a table that the caller may not know of. */
  async function seenBy(
    { principal, requestId, askPlugin }: JudgedCall,
    { item, owner, found }: { readonly item: ObjectHome; readonly owner: string; readonly found: KeptObject },
  ): Promise<Resolved | undefined> {
    const { projectId, tableId, object: kept } = found;
    try {
      // A deleted project keeps its roles until it is purged, so the project itself must be looked up.
      if ((await access.locate('project', projectId)) === undefined) return undefined;
      const scope = await access.scopeFor(principal, projectId, requestId);
      if (!scope.may('tableGet')) return undefined;
      const table = tableId === undefined ? undefined : await schema.open(scope, tableId);
      const where = `isThere() of ${item.id}`;
      const ask = async () => item.isThere?.(kept, { scope, table });
      const isThere = await askPlugin({ owner, where, ask });
      return isThere === false ? undefined : { scope, object: { projectId }, table, kept };
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500) return undefined;
      throw error;
    }
  }

  /**
   * The project that a call names. An id that was never issued gives a project that nobody is in, so that it answers exactly
   * like one of somebody else.
   */
  function projectOf(
    object: Exclude<RouteObject, { readonly kind: 'kept' }>,
    named: NamedBy,
  ): string | undefined | Promise<string> {
    switch (object.kind) {
      case 'none':
        return undefined;
      case 'data':
        return orNobodys(access.locateProject(named.params[object.project] ?? ''));
      default: {
        const id = idIn(object, named);
        if (object.kind === 'project') return orNobodys(access.locateProject(id));
        return idShape.test(id) ? orNobodys(access.locate(object.kind, id)) : '';
      }
    }
  }

  function tableOf(
    object: RouteObject,
    params: NamedBy['params'],
    scope: AccessScope,
  ): TableHandle | undefined | Promise<TableHandle> {
    if (object.kind !== 'data' || object.table === undefined) return undefined;
    const view = object.view === undefined ? undefined : (params[object.view] ?? '');
    return schema.open(scope, params[object.table] ?? '', view);
  }

  return { principalOf: (request) => principals.of(request), authorise };
}

function isJudged({ permission }: RouteDefinition): boolean {
  return permission !== 'public' && permission !== 'signedIn';
}

/** The id under a key of the call; empty where the value is no text. */
function idIn(
  { param, in: place }: { readonly param: string; readonly in?: 'query' | 'body' },
  { params, query, body }: NamedBy,
): string {
  const keys = place === undefined ? params : place === 'query' ? query : body;
  const id = (keys as Readonly<Record<string, unknown>> | null)?.[param];
  return typeof id === 'string' ? id : '';
}
