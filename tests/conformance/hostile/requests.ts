import type { RouteDefinition } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import fc from 'fast-check';
import type { HostileGround, HostileProject } from './ground.ts';
import { oddBodies, oddIds, oddValues } from './odd-values.ts';

/** One request, whole: anybody can send it again. */
export interface HostileRequest {
  readonly principal: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

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

/** Calls that end the session of whoever makes them, or that switch parts of the server off. */
const endsSomething = /user\/signout|token\/refresh|plugins\/:id\/(?:enable|disable)/;

/** What an honest client would send under this name. */
function plausible(name: string, ids: HostileProject): unknown {
  const known: Readonly<Record<string, unknown>> = {
    fk_column_id: ids.column,
    fk_parent_id: null,
    copy_from_id: ids.view,
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
  };
  return known[name];
}

function propertiesOf(route: RouteDefinition): readonly string[] {
  if (route.object?.kind === 'data') return columnTitles;
  const schema: JsonSchema | undefined = route.schemas?.body;
  return [...Object.keys(schema?.properties ?? {}), 'unknown'];
}

/** Bodies of a route: plausible but for one odd field, or odd as a whole. */
function bodies(route: RouteDefinition, ids: HostileProject): fc.Arbitrary<string | undefined> {
  if (route.method === 'GET') return fc.constant(undefined);
  const names = propertiesOf(route);
  const base = Object.fromEntries(
    names.flatMap((name) => {
      const value = plausible(name, ids);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const odd = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...oddValues))
    .map(([name, value]) => ({ ...base, [name]: value }));
  const rows = fc.array(odd, { minLength: 1, maxLength: 3 }).map((list) => JSON.stringify(list));
  const one = odd.map((body) => JSON.stringify(body));
  const isBulk = route.path.includes('/bulk/');
  return fc.oneof(
    { weight: 8, arbitrary: isBulk ? fc.oneof(rows, one) : one },
    { weight: 1, arbitrary: fc.constantFrom(...oddBodies) },
    { weight: 1, arbitrary: fc.constantFrom(...oddValues).map((value) => JSON.stringify(value)) },
  );
}

function queries(route: RouteDefinition): fc.Arbitrary<string> {
  const names = [
    ...Object.keys(queryValues),
    ...Object.keys(route.schemas?.query?.properties ?? {}),
    '__proto__',
  ];
  const texts = oddValues.filter((value) => typeof value === 'string' && value.length < 2000).map(String);
  const pair = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .constantFrom(...(Object.hasOwn(queryValues, name) ? (queryValues[name] ?? []) : []), ...texts)
        .map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 3,
      arbitrary: fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`),
    },
  );
}

/** The path with ids in its places; at most one of them odd. */
function paths(route: RouteDefinition, ids: HostileProject, mustBeOdd: boolean): fc.Arbitrary<string> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const fill = (odd: string | undefined, value: string) =>
    route.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(name === odd ? value : (ids.places[name] ?? '1')),
    );
  const last = names.at(-1);
  if (last === undefined) return fc.constant(route.path);
  if (mustBeOdd) return fc.constantFrom(...oddIds).map((value) => fill(last, value));
  return fc
    .tuple(fc.option(fc.constantFrom(...names), { nil: undefined, freq: 3 }), fc.constantFrom(...oddIds))
    .map(([odd, value]) => fill(odd, value));
}

/**
 * Requests to every route there is, made of the routes themselves, so that a new route needs no line here.
 *
 * Who may change a project is let loose on the open one, but deletes nothing that the next request needs; everybody else is let loose
 * on the guarded one with whole ids as well.
 */
export function hostileRequests(
  ground: HostileGround,
  routes: readonly RouteDefinition[],
): fc.Arbitrary<HostileRequest> {
  const of = (principals: readonly string[], ids: HostileProject, areMembers: boolean) =>
    fc.tuple(fc.constantFrom(...principals), fc.constantFrom(...routes)).chain(([principal, route]) => {
      const isDestructive =
        areMembers &&
        ((route.method === 'DELETE' && !route.path.includes('/data/')) || endsSomething.test(route.path));
      return fc.record({
        principal: fc.constant(
          endsSomething.test(route.path) && !route.path.includes(':') ? 'leaver' : principal,
        ),
        method: fc.constant(route.method),
        path: fc.tuple(paths(route, ids, isDestructive), queries(route)).map(([path, query]) => path + query),
        body: bodies(route, ids),
      });
    });
  return fc.oneof(
    of(Object.keys(ground.members), ground.open, true),
    of(Object.keys(ground.outsiders), ground.guarded, false),
  );
}
