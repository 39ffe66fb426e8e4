import { half, type BrokenPlugin } from './broken-plugin.ts';

/** A plugin that runs, and the call that makes it fail. */
export interface MisbehavingPlugin extends BrokenPlugin {
  /** The path below its own prefix that triggers the failure, and the status of the answer; absent if it fails without a call. */
  readonly ask?: readonly [path: string, status: number];
  /** The name of a row that it prevents from being added. */
  readonly row?: string;
  /** Whether it is disabled and enabled first. */
  readonly isSwitched?: boolean;
}

/** Fails when its route is called. */
function route(id: string, does: string, handle: string, status: number, says: RegExp): MisbehavingPlugin {
  const asked = `ctx.routes({ method: 'GET', path: 'ask', permission: 'public', summary: '', seconds: 1, handle: async () => { ${handle} } });`;
  return { id, name: id, does, server: half(asked), state: 'enabled', says, ask: ['ask', status] };
}

function running(
  id: string,
  does: string,
  setup: string,
  says: RegExp,
  manifest: Readonly<Record<string, unknown>> = {},
): MisbehavingPlugin {
  return { id, name: id, does, manifest, server: half(setup), state: 'enabled', says };
}

const asksForNewRows = { contributes: { hooks: ['rows.willCreate'] } };

/** Gets a row with its own name, and is refused for what it does with it. */
function refusing(id: string, does: string, handle: string, says: RegExp): MisbehavingPlugin {
  const tap = `ctx.tap('rows.willCreate', (rows) => { if (rows[0].Name === '${id}') { ${handle} } });`;
  return { ...running(id, does, tap, says, asksForNewRows), row: id };
}

const hook = (does: string) => `ctx.tap('rows.didChange', async () => { ${does} });`;

export const badBehaviour: readonly MisbehavingPlugin[] = [
  route('route-throws', 'throws in a route', "throw new Error('no bread');", 500, /no bread/),
  route('route-throws-text', 'throws a text in a route', "throw 'no cheese';", 500, /no cheese/),
  route('route-throws-nothing', 'throws nothing in a route', 'throw undefined;', 500, /GET ask|ask/),
  route('route-throws-bare', 'throws what has no text', 'throw Object.create(null);', 500, /has no text/),
  route(
    'route-throws-round',
    'throws an error that caused itself',
    "const error = new Error('round and round'); error.cause = error; throw error;",
    500,
    /round and round/,
  ),
  route(
    'route-throws-long',
    'throws an error of a hundred thousand characters',
    "throw new Error('z'.repeat(100_000));",
    500,
    /z{100}/,
  ),
  route(
    'route-throws-status',
    'throws an error with a status that is none',
    "throw Object.assign(new Error('no refusal'), { status: 7, code: 'SEVEN' });",
    500,
    /no refusal/,
  ),
  route(
    'route-late-bare',
    'leaves behind what has no text',
    'setTimeout(() => Promise.reject(Object.create(null)), 5); return 1;',
    200,
    /has no text/,
  ),
  route(
    'route-late-throws-bare',
    'throws what has no text where nobody catches it',
    'setTimeout(() => { throw Object.create(null); }, 5); return 1;',
    200,
    /has no text/,
  ),
  route(
    'route-rejects-on',
    'rejects promises without end',
    "const flood = () => { for (let at = 0; at < 500; at += 1) Promise.reject(new Error('no end')); }; const timer = setInterval(flood, 5); setTimeout(() => clearInterval(timer), 1000); return 1;",
    200,
    /no end/,
  ),
  route(
    'route-hangs',
    'hangs in a route',
    'await new Promise(() => undefined);',
    503,
    /1 s|1 second|seconds/,
  ),
  route('route-circle', 'answers with what is no JSON', 'const a = {}; a.a = a; return a;', 500, /circular/i),
  route('route-bigint', 'answers with a number that JSON lacks', 'return { of: 1n };', 500, /BigInt/),
  route(
    'route-late',
    'leaves an error behind its answer',
    "setTimeout(() => Promise.reject(new Error('too late for bread')), 5); return 1;",
    200,
    /too late for bread/,
  ),
  route(
    'route-splits',
    'writes a second header into its answer',
    "const { RouteAnswer } = await import('@trellis/sdk/server'); return new RouteAnswer({ headers: { 'x-a': 'b\\r\\nset-cookie: c=d' } });",
    500,
    /x-a|header/i,
  ),
  route(
    'route-odd-status',
    'answers with a status that is none',
    "const { RouteAnswer } = await import('@trellis/sdk/server'); return new RouteAnswer({ status: 7, body: 1 });",
    500,
    /status/i,
  ),
  refusing('hook-swallows', 'lets a row disappear', 'return [];', /returned 0 of 1 rows/),
  refusing('hook-lies', 'returns a text for rows', "return 'fine';", /returned a string/),
  refusing('hook-drops', 'loses a cell', 'return [{}];', /has lost 'Name'/),
  running(
    'job-throws',
    'throws in a job',
    "ctx.register('jobs', { id: 'throws', every: 1, async run() { throw new Error('no oil'); } });",
    /no oil/,
  ),
  {
    ...running(
      'clings',
      'throws when it is switched off',
      "ctx.own({ dispose() { throw new Error('no farewell'); } });",
      /no farewell/,
    ),
    isSwitched: true,
  },
  {
    ...running(
      'clings-long',
      'never ends to be switched off',
      'ctx.own({ dispose: () => new Promise(() => undefined) });',
      /dispose|switched off|10 ?s/,
    ),
    isSwitched: true,
  },
  running('hook-throws', 'throws in a hook', hook("throw new Error('no butter');"), /no butter/),
  running(
    'hook-hangs',
    'hangs in a hook before something',
    "ctx.tap('rows.willCreate', (rows) => (rows[0].Name === 'hang' ? new Promise(() => undefined) : undefined));",
    /rows\.willCreate/,
    asksForNewRows,
  ),
  running(
    'mail-unsure',
    'throws when it is asked whether it can send mail',
    "ctx.register('mailAdapters', { id: 'unsure', label: 'Unsure', order: -1, isConfigured() { throw new Error('no stamps'); }, async send() {}, async verify() {} });",
    /isConfigured: no stamps/,
  ),
  running(
    'check-throws',
    'throws in its health check',
    "ctx.register('healthChecks', { id: 'throws', async check() { throw new Error('no pulse'); } });",
    /no pulse/,
  ),
  running(
    'check-lies',
    'answers its health check with nothing',
    "ctx.register('healthChecks', { id: 'nothing', async check() {} });",
    /health check nothing/,
  ),
  running(
    'promises-much',
    'promises what it does not bring',
    '',
    /promises 'moon' in jobs, which it does not register/,
    { contributes: { jobs: [{ id: 'moon' }] } },
  ),
  running(
    'promises-paths',
    'promises addresses that it does not serve',
    '',
    /promises the path '\/api\/v1\/moon'/,
    { contributes: { routes: ['/api/v1/moon'] } },
  ),
  running(
    'promises-little',
    'brings what it does not promise',
    "ctx.register('jobs', { id: 'hidden', every: 3600, async run() {} });",
    /registers 'hidden' in jobs, which its manifest does not name/,
  ),
  running(
    'promises-nowhere',
    'promises something for a registry that is not there',
    '',
    /promises something for 'colunmTypes', which is no registry; did it mean 'columnTypes'/,
    { contributes: { colunmTypes: [{ id: 'Moon' }] } },
  ),
  running(
    'leaks-secret',
    'writes its secret into its log and its errors',
    "ctx.logger.warn('my key', { note: `it is ${ctx.settings.current.key}` });" +
      "ctx.tap('rows.didChange', () => { throw new Error(`refused ${ctx.settings.current.key}`); });",
    /refused \[redacted\]/,
    {
      settings: {
        type: 'object',
        properties: { key: { type: 'string', format: 'secret', default: '' } },
      },
    },
  ),
];
