import type { RouteDefinition } from '@trellis/sdk/server';
import fc from 'fast-check';
import { idNamed, placesIn, withValue, type KnownBody, type Place } from './bodies.ts';
import type { HostileGround, HostileProject } from './ground.ts';
import { oddBodies, oddIds, oddValues } from './odd-values.ts';

/** One complete request, which can be sent again. */
export interface HostileRequest {
  readonly principal: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** Values for the parameters of row addresses. */
const queryValues: Readonly<Record<string, readonly string[]>> = {
  where: [
    '(Name,eq,Ada)',
    '(Amount,gt,1)~and(Done,eq,true)',
    '(When,btw,2026-01-01,2026-02-01)',
    '(Name,nope,1)',
  ],
  sort: ['Name', '-Amount,Name', 'None'],
  fields: ['Name,Amount', '*', 'None'],
  limit: ['1', '1000', '-5'],
  offset: ['0', '5', '100000000000000000000'],
  filterArrJson: [
    '[]',
    '[{"is_group":true,"children":[]}]',
    '[{"fk_column_id":"x","comparison_op":"eq","value":1}]',
  ],
  sortArrJson: ['[]', '[{"fk_column_id":"x","direction":"asc"}]'],
  column_name: ['name', 'amount', 'none'],
  confirm: ['all', 'ALL'],
  shuffle: ['1'],
  ignoreWebhook: ['true', 'yes'],
  skipDisabledFilters: ['true'],
  viewId: ['x'],
  raw: ['true'],
  ['ignoreIds[]']: ['x'],
};

/** Calls that end the caller's session, or that disable parts of the server. */
const endsSomething = /user\/signout|token\/refresh|plugins\/:id\/(?:enable|disable)/;

const oddTexts = oddValues.filter((value) => typeof value === 'string' && value.length < 2000).map(String);
/** Stands for the id of the same kind of object in another project; otherwise nonsense replaces an id. */
const foreign = Symbol('foreign');

/** The odd part of a request: a place of its body, the whole body, a path parameter, or a query parameter. */
type Oddity =
  | { readonly kind: 'field'; readonly place: Place }
  | { readonly kind: 'body' }
  | { readonly kind: 'path'; readonly name: string; readonly id: 'odd' | typeof foreign }
  | { readonly kind: 'query'; readonly name: string };

/** Whole bodies are odd as often as two fields. */
const wholeBodies: readonly Oddity[] = [{ kind: 'body' }, { kind: 'body' }];

function placesOf(route: RouteDefinition): readonly string[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
}

function oddities(route: RouteDefinition, body: KnownBody | undefined): readonly Oddity[] {
  const named = Object.keys(route.schemas?.query?.properties ?? {});
  const queries = route.object?.kind === 'data' ? [...named, ...Object.keys(queryValues)] : named;
  return [
    ...(body === undefined ? [] : placesIn(body.whole)).map((place): Oddity => ({ kind: 'field', place })),
    ...(body === undefined ? [] : wholeBodies),
    ...placesOf(route).flatMap((name): readonly Oddity[] => [
      { kind: 'path', name, id: 'odd' },
      { kind: 'path', name, id: foreign },
    ]),
    ...[...queries, '__proto__'].map((name): Oddity => ({ kind: 'query', name })),
  ];
}

/** Cycles through a list, so that each item is used before any repeats. */
function itemAt<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new RangeError('An empty list has no items');
  return item;
}

/** A person in a project, and another project that they may not change. */
interface Sender {
  readonly principal: string;
  readonly ids: HostileProject;
  readonly elsewhere: HostileProject | undefined;
  readonly bodies: ReadonlyMap<RouteDefinition, KnownBody>;
  readonly isMember: boolean;
}

/** People who may change a project call the open one, all others the guarded one, and both try to reach the other one. */
function sendersOf({ members, outsiders, open, guarded, bodies }: HostileGround): readonly Sender[] {
  return [
    ...Object.keys(members).map((principal): Sender => {
      // The owner of both projects may change both.
      const elsewhere = principal === 'owner' ? undefined : guarded;
      return { principal, ids: open, elsewhere, bodies: bodies.open, isMember: true };
    }),
    ...Object.keys(outsiders).map((principal): Sender => {
      return { principal, ids: guarded, elsewhere: open, bodies: bodies.guarded, isMember: false };
    }),
  ];
}

/** Numbers that decide what is odd in a request, and how. */
interface Chance {
  readonly value: number;
  readonly more: number;
}

function pathOf(route: RouteDefinition, { ids, elsewhere }: Sender, oddity: Oddity, chance: Chance): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => {
    const own = ids.places[name] ?? '1';
    if (oddity.kind !== 'path' || oddity.name !== name) return encodeURIComponent(own);
    const other = oddity.id === foreign ? elsewhere?.places[name] : undefined;
    return encodeURIComponent(other ?? itemAt(oddIds, chance.value));
  });
}

function queryOf({ object }: RouteDefinition, sender: Sender, oddity: Oddity, chance: Chance): string {
  const query = new URLSearchParams();
  // The query may name the route's object.
  if (object !== undefined && 'in' in object && object.in === 'query')
    query.set(object.param, idNamed(object.param, sender.ids) ?? '1');
  if (oddity.kind === 'query') {
    const known = Object.hasOwn(queryValues, oddity.name) ? (queryValues[oddity.name] ?? []) : [];
    const ids = [sender.ids, sender.elsewhere].flatMap((of) => (of && idNamed(oddity.name, of)) ?? []);
    query.append(oddity.name, itemAt([...known, ...ids, ...oddTexts], chance.value));
    if (chance.more % 3 === 0) query.append(oddity.name, itemAt(oddTexts, chance.more));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function bodyOf(route: RouteDefinition, sender: Sender, oddity: Oddity, chance: Chance): string | undefined {
  const body = sender.bodies.get(route);
  if (body === undefined) return undefined;
  if (oddity.kind === 'body')
    return itemAt([...oddBodies, ...oddValues.map((value) => JSON.stringify(value))], chance.value);
  const made = oddity.kind === 'field' ? oddField(oddity.place, body, sender, chance) : body.plain;
  const isBulk = route.path.includes('/bulk/') && !Array.isArray(made);
  return JSON.stringify(isBulk && chance.more % 4 !== 0 ? [made, body.plain] : made);
}

function oddField(place: Place, { plain, whole }: KnownBody, { elsewhere }: Sender, chance: Chance): unknown {
  const name = String(place.findLast((part) => typeof part === 'string') ?? '');
  const other = elsewhere && idNamed(name, elsewhere);
  // A foreign id is the most interesting value where an id is expected.
  const value = other !== undefined && chance.more % 2 === 0 ? other : itemAt(oddValues, chance.value);
  return withValue(plain, place, value, whole);
}

/** Prevents deletions of what the next request needs. */
function keepsWhatIsNeeded(route: RouteDefinition, sender: Sender, oddity: Oddity): Oddity {
  const isDestructive =
    sender.isMember &&
    ((route.method === 'DELETE' && !route.path.includes('/data/')) || endsSomething.test(route.path));
  const name = placesOf(route).at(-1);
  return isDestructive && name !== undefined ? { kind: 'path', name, id: 'odd' } : oddity;
}

interface Campaign {
  readonly count: number;
  readonly seed: number;
  /** The part of the campaign: another one starts with other senders, places and values. */
  readonly part: number;
}

/**
 * Requests to all routes, derived from the routes themselves, so that a new route needs no entry here.
 *
 * The routes alternate, and so do each route's places and the senders: any number of requests is spread evenly.
 */
export function hostileRequests(
  ground: HostileGround,
  { count, seed, part }: Campaign,
): readonly HostileRequest[] {
  const { routes } = ground;
  const senders = sendersOf(ground);
  const order = fc.sample(fc.shuffledSubarray([...routes.keys()], { minLength: routes.length }), {
    seed,
    numRuns: 1,
  })[0];
  const chances = fc.sample(fc.tuple(fc.nat(), fc.nat()), {
    seed: seed + part,
    numRuns: count,
    unbiased: true,
  });
  const turns = Math.ceil(count / routes.length);
  return chances.map(([value, more], index) => {
    const at = itemAt(order ?? [], index);
    const route = itemAt(routes, at);
    const turn = part * turns + Math.floor(index / routes.length);
    const all = oddities(route, ground.bodies.open.get(route));
    // When all places of a route have been used, each is sent by another person.
    const sender = itemAt(senders, at + turn + Math.floor(turn / all.length));
    const oddity = keepsWhatIsNeeded(route, sender, itemAt(all, at + turn));
    const chance = { value, more };
    const isLeaving = endsSomething.test(route.path) && !route.path.includes(':');
    return {
      principal: isLeaving ? 'leaver' : sender.principal,
      method: route.method,
      path: pathOf(route, sender, oddity, chance) + queryOf(route, sender, oddity, chance),
      body: bodyOf(route, sender, oddity, chance),
    };
  });
}
