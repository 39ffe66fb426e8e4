import type { RouteDefinition } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import { placeKinds } from '../route-objects.ts';
import type { HostileProject } from './ground.ts';

/** A place within a body: property names and list indexes. */
export type Place = readonly (string | number)[];

type Tree = Readonly<Record<string | number, unknown>>;

/** Deeper places are covered by those around them. */
const deepest = 4;

const columnTitles = [
  'Id',
  'Name',
  'Text',
  'Amount',
  'Count',
  'When',
  'Day',
  'Done',
  'Data',
  'Stars',
  'None',
];

/** Property names that contain the id of an object of the project. */
const idsByProperty: Readonly<Record<string, string>> = {
  ...placeKinds,
  fk_column_id: 'columnId',
  fk_model_id: 'table',
  fk_view_id: 'view',
  fk_parent_id: 'filterId',
  copy_from_id: 'view',
  base_id: 'base',
  project_id: 'project',
  table_id: 'table',
  view_id: 'view',
  parentId: 'table',
  childId: 'table',
  row_id: 'rowId',
  user: 'userId',
};

const honest: Readonly<Record<string, unknown>> = {
  uidt: 'SingleLineText',
  title: 'Title',
  column_name: 'plain_name',
  table_name: 'plain_table',
  direction: 'asc',
  comparison_op: 'eq',
  logical_op: 'and',
  order: 1,
  email: 'nobody@example.com',
  password: 'Password-1',
  columns: [{ title: 'Id', uidt: 'ID' }],
  meta: {},
  input: {},
  show: true,
  width: '180px',
  lock_type: 'collaborative',
  value: 'x',
  ids: ['1'],
};

/** The id for a property or a parameter with this name; `undefined` if it contains none. */
export function idNamed(name: string, { places }: HostileProject): string | undefined {
  if (Object.hasOwn(idsByProperty, name)) return places[idsByProperty[name] ?? name];
  return name.endsWith('Id') && Object.hasOwn(places, name) ? places[name] : undefined;
}

/** The value that an honest client would send under this name. */
function plausible(name: string, ids: HostileProject): unknown {
  return idNamed(name, ids) ?? (Object.hasOwn(honest, name) ? honest[name] : undefined);
}

/** A value that a schema accepts: with all its properties, or only with the required ones. */
function valueOf(schema: JsonSchema, name: string, ids: HostileProject, extent: 'all' | 'required'): unknown {
  const [type] = [schema.type ?? (schema.properties && 'object')].flat();
  const isDescribed = extent === 'all' && (schema.properties ?? schema.items?.properties) !== undefined;
  const known = isDescribed ? undefined : plausible(name, ids);
  const said = [schema.const, schema.enum?.[0], known, schema.default, schema.examples?.[0]];
  const first = said.find((value) => value !== undefined);
  if (first !== undefined) return first;
  const [one] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (type === undefined && one !== undefined) return valueOf(one, name, ids, extent);
  if (type === 'object') {
    const wanted = Object.entries(schema.properties ?? {}).filter(
      ([key]) => extent === 'all' || schema.required?.includes(key) === true,
    );
    return Object.fromEntries(wanted.map(([key, of]) => [key, valueOf(of, key, ids, extent)]));
  }
  if (type === 'array') {
    const isFilled = schema.items !== undefined && (extent === 'all' || (schema.minItems ?? 0) > 0);
    return isFilled ? [valueOf(schema.items, '', ids, extent)] : [];
  }
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

/** All places in a value, the outer ones first; of a list, only the first item. */
export function placesIn(value: unknown): readonly Place[] {
  const found: Place[] = [];
  const look = (of: unknown, at: Place): void => {
    if (!isTree(of) || at.length === deepest) return;
    const keys = Array.isArray(of) ? (of.length > 0 ? [0] : []) : Object.keys(of);
    for (const key of keys) {
      found.push([...at, key]);
      look(of[key], [...at, key]);
    }
  };
  look(value, []);
  return found;
}

/** A copy with another value at a place; missing parts of the path are taken from `whole`. */
export function withValue(body: unknown, place: Place, value: unknown, whole: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const from = isTree(whole) ? whole[key] : undefined;
  const to: unknown = isTree(body) ? body : isTree(whole) ? structuredClone(whole) : {};
  const copy = Array.isArray(to) ? [...(to as readonly unknown[])] : { ...(to as Tree) };
  // Assigning a property with this name could set the prototype.
  Object.defineProperty(copy, key, {
    value: withValue((copy as Tree)[key], rest, value, from),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** A route's body: one that it accepts, as far as that is known, and one with all known properties. */
export interface KnownBody {
  readonly plain: unknown;
  readonly whole: unknown;
}

/** A row names its cells by column titles, which no schema contains. */
const anyRow: Tree = Object.fromEntries(columnTitles.map((title) => [title, null]));

/** The object in a route's answer: the requested one, or the first of a list. */
function firstOf(answer: unknown): Tree {
  const list = isTree(answer) && Array.isArray(answer['list']) ? answer['list'] : answer;
  const one: unknown = Array.isArray(list) ? list[0] : list;
  return isTree(one) && !Array.isArray(one) ? one : {};
}

/** The server's answer to the owner at a route's path; empty if it cannot be read. */
async function answered(owner: TestClient, route: RouteDefinition, ids: HostileProject): Promise<Tree> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids.places[name] ?? '1');
  const { status, body } = await owner.get(path);
  return status === 200 ? firstOf(body) : {};
}

/**
 * The bodies of all routes that take one: from their schemas and, where these leave an object's contents open, from the server's
 * own answer at the same path.
 */
export async function knownBodies(
  owner: TestClient,
  ids: HostileProject,
  routes: readonly RouteDefinition[],
): Promise<ReadonlyMap<RouteDefinition, KnownBody>> {
  const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const objectOf = (route: RouteDefinition): Tree | Promise<Tree> => {
    if (route.object?.kind === 'data') return anyRow;
    return readable.has(route.path) ? answered(owner, route, ids) : {};
  };
  const known = new Map<RouteDefinition, KnownBody>();
  for (const route of routes) {
    if (route.method === 'GET') continue;
    const schema: JsonSchema = { type: 'object', ...route.schemas?.body };
    const body = { plain: valueOf(schema, '', ids, 'required'), whole: valueOf(schema, '', ids, 'all') };
    known.set(route, withObject(body, await objectOf(route), schema));
  }
  return known;
}

/** Adds the properties of the route's object, as far as the schema accepts them. */
function withObject(body: KnownBody, object: Tree, schema: JsonSchema): KnownBody {
  const { plain, whole } = body;
  if (!isTree(whole) || Array.isArray(whole)) return body;
  const isOpen = schema.additionalProperties !== false;
  const named = Object.entries(object).filter(
    ([name]) => isOpen || Object.hasOwn(schema.properties ?? {}, name),
  );
  return { plain, whole: { ...whole, ...Object.fromEntries(named), unknown: 'x' } };
}
