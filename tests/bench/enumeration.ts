/**
 * Prints the response times of a server's calls for addresses with and without an account, alternating and in random order:
 * medians, and the p of a rank test (Mann and Whitney), which is small if the two can be distinguished. It also prints whether the
 * answers differ. It has no limits.
 *
 * Open sign-up and adding people to a project are omitted: their answers reveal accounts by design.
 *
 *   node tests/run-typescript.mjs tests/bench/enumeration.ts [--pairs=200] [--only=<part of a door's name>] [--database=postgres]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSmtpRecorder } from '../../sdk/testing/smtp-recorder.ts';
import { postgresAt, sqliteIn } from './bench-database.ts';
import { send, type Call, type Target } from './load.ts';
import { postgresUrl, print, product } from './measure.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const optionOf = (name: string): string | undefined =>
  process.argv.find((option) => option.startsWith(`--${name}=`))?.slice(name.length + 3);
const pairs = Number(optionOf('pairs') ?? 200);
const only = optionOf('only') ?? '';
/** Attempts of one address at each call: two calls may count together, and the limit is ten. */
const triesOfOne = 4;
/** Milliseconds for the work that a call leaves after its answer. */
const rest = 60;
const password = 'a long enough password 1';
const meta = '/api/v1/db/meta';
const auth = '/api/v1/auth';

/** The measured call about an address; it must not reveal whether the address has an account. */
interface Door {
  readonly name: string;
  call(email: string): Call;
  readonly headers?: Target['headers'];
  /** Measured instead of the call, directly after its answer. */
  readonly after?: () => Call;
}

interface Answer {
  readonly ms: number;
  readonly text: string;
}

/** Calls the server each time from another network address, so that no limit per address applies. */
class Caller {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;
  #calls = 0;

  constructor({ port }: ServerProcess) {
    this.#port = port;
  }

  async ask(call: Call, headers: Target['headers'] = {}): Promise<Record<string, string>> {
    return JSON.parse(await send(this.#target(headers), this.#agent, call)) as Record<string, string>;
  }

  /** Accepts any answer. */
  async time(call: Call, headers: Target['headers'] = {}): Promise<Answer> {
    const target = this.#target(headers);
    const since = performance.now();
    const text = await send(target, this.#agent, call).catch((error: unknown) => String(error));
    return { ms: performance.now() - since, text };
  }

  close(): void {
    this.#agent.destroy();
  }

  #target(headers: Target['headers']): Target {
    this.#calls += 1;
    const [high, low] = [Math.floor(this.#calls / 250), (this.#calls % 250) + 1];
    return { port: this.#port, headers: { 'x-forwarded-for': `198.18.${high}.${low}`, ...headers } };
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The p of the hypothesis that both samples have the same distribution, by the normal approximation; times have no ties. */
function rankTest(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((ms) => ({ ms, isFirst: true })),
    ...second.map((ms) => ({ ms, isFirst: false })),
  ];
  all.sort((a, b) => a.ms - b.ms);
  const ranks = all.reduce((sum, { isFirst }, index) => (isFirst ? sum + index + 1 : sum), 0);
  const [m, n] = [first.length, second.length];
  const z = Math.abs(ranks - (m * (m + n + 1)) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12);
  return 2 * tailOfNormal(z);
}

/** The probability beyond z, by Abramowitz and Stegun 26.2.17; the error is below 1e-7. */
function tailOfNormal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const [a, b, c, d, e] = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = t * (a + t * (b + t * (c + t * (d + t * e))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

/** Addresses of accounts, and equally used others. */
interface Addresses {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

async function measure(caller: Caller, door: Door, { known, unknown }: Addresses): Promise<void> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const texts: Record<'known' | 'unknown', Set<string>> = { known: new Set(), unknown: new Set() };
  for (let pair = 0; pair < pairs; pair += 1) {
    const turn = [
      ['known', known[pair % known.length] ?? ''],
      ['unknown', unknown[pair % unknown.length] ?? ''],
    ] as const;
    for (const [kind, email] of Math.random() < 0.5 ? turn : turn.toReversed()) {
      const answer = await caller.time(door.call(email), door.headers);
      const later = door.after && (await caller.time(door.after()));
      times[kind].push((later ?? answer).ms);
      // Ids of rows are increasing numbers.
      texts[kind].add(answer.text.replaceAll(email, '<address>').replaceAll(/\d+/g, '#'));
      await delay(rest);
    }
  }
  const [ofKnown, ofUnknown] = [median(times.known), median(times.unknown)];
  const isSame = [...texts.known].toSorted().join('') === [...texts.unknown].toSorted().join('');
  const cells = [ofKnown, ofUnknown, ofKnown - ofUnknown].map((ms) => ms.toFixed(2).padStart(10));
  const p = rankTest(times.known, times.unknown);
  print(
    `${door.name.padEnd(44)}${cells.join('')}${p.toFixed(3).padStart(8)}   ${isSame ? 'same' : 'differs'}`,
  );
  if (!isSame) for (const text of [...texts.known, ...texts.unknown]) print(`  ${text.slice(0, 160)}`);
}

/** Creates what the calls need: accounts, a project with a form, and an editor of it. */
async function seed(caller: Caller, mailPort: number, site: string) {
  const signUp = async (email: string) =>
    caller.ask({ method: 'POST', path: `${auth}/user/signup`, body: { email, password } });
  const { token = '' } = await signUp('boss@example.com');
  const boss = { 'xc-auth': token };
  const settings = {
    'app-smtp': { host: '127.0.0.1', port: mailPort, security: 'none', from: 'tables@example.com' },
    'sys-mail': { siteUrl: site },
  };
  const { id: project = '' } = await caller.ask(
    { method: 'POST', path: `${meta}/projects`, body: { title: 'Bench' } },
    boss,
  );
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Mail', uidt: 'Email' },
  ];
  const { id: table = '' } = await caller.ask(
    { method: 'POST', path: `${meta}/projects/${project}/tables`, body: { title: 'Guests', columns } },
    boss,
  );
  const { id: form = '' } = await caller.ask(
    { method: 'POST', path: `${meta}/tables/${table}/forms`, body: { title: 'Form' } },
    boss,
  );
  const { uuid = '' } = await caller.ask(
    { method: 'POST', path: `${meta}/views/${form}/share`, body: {} },
    boss,
  );
  const count = Math.ceil(pairs / triesOfOne);
  const known = Array.from({ length: count }, (_, index) => `known-${index}@example.com`);
  const unknown = known.map((email) => email.replace('known', 'other'));
  let editor = {};
  for (const email of known) editor = { 'xc-auth': (await signUp(email)).token ?? '' };
  const lastOne = known.at(-1) ?? '';
  const users = `${meta}/projects/${project}/users`;
  await caller.ask({ method: 'POST', path: users, body: { email: lastOne, roles: 'editor' } }, boss);
  const invited = await caller.ask(
    { method: 'POST', path: '/api/v1/user-invitations', body: { email: 'ivy@example.com' } },
    boss,
  );
  for (const [id, input] of Object.entries(settings))
    await caller.ask(
      { method: 'PUT', path: `/api/v1/app-store/plugins/${id}/settings`, body: { input } },
      boss,
    );
  const closed = { method: 'PUT', path: '/api/v1/app-store/plugins/sys-users/settings' } as const;
  await caller.ask({ ...closed, body: { input: { inviteOnly: true } } }, boss);
  const doors = doorsTo({ users, editor, uuid, invitation: invited.token ?? '' });
  return { doors, addresses: { known, unknown } };
}

function doorsTo(place: {
  readonly users: string;
  readonly editor: Target['headers'];
  readonly uuid: string;
  readonly invitation: string;
}): readonly Door[] {
  const post = (path: string, body: unknown): Call => ({ method: 'POST', path, body });
  const signIn = (email: string) => post(`${auth}/user/signin`, { email, password: 'a wrong password 1' });
  const forgot = (email: string) => post(`${auth}/password/forgot`, { email });
  let others = 0;
  return [
    { name: 'sign-in with a wrong password', call: signIn },
    {
      name: 'sign-up where only invited people may',
      call: (email) => post(`${auth}/user/signup`, { email, password }),
    },
    {
      name: 'sign-up by the invitation of somebody else',
      call: (email) => post(`${auth}/user/signup`, { email, password, token: place.invitation }),
    },
    { name: 'forgotten password', call: forgot },
    {
      name: 'a sign-in right after a forgotten password',
      call: forgot,
      after: () => signIn(`nobody-${(others += 1)}@example.com`),
    },
    {
      name: 'adding to a project as an editor',
      call: (email) => post(place.users, { email, roles: 'viewer' }),
      headers: place.editor,
    },
    {
      name: 'inviting to the server as anybody',
      call: (email) => post('/api/v1/user-invitations', { email }),
      headers: place.editor,
    },
    {
      name: 'a public form with an e-mail address',
      call: (email) => post(`/api/v1/db/public/shared-view/${place.uuid}/rows`, { data: { Mail: email } }),
    },
  ];
}

async function main(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const mail = await startSmtpRecorder();
  const server = await startServer(product, {
    PORT: '0',
    TRELLIS_DATA_DIR: folder,
    TRELLIS_LOG_LEVEL: 'error',
    TRELLIS_TRUST_PROXY: '1',
    ...env,
  });
  const caller = new Caller(server);
  try {
    const { doors, addresses } = await seed(caller, mail.port, `http://127.0.0.1:${server.port}`);
    const heads = ['known ms', 'unknown', 'between'].map((head) => head.padStart(10)).join('');
    print(`${''.padEnd(44)}${heads}${'p'.padStart(8)}   answers`);
    for (const door of doors) if (door.name.includes(only)) await measure(caller, door, addresses);
  } finally {
    caller.close();
    await server.stop();
    await mail.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'trellis-enumeration-'));
const database = postgresUrl === undefined ? sqliteIn(folder) : await postgresAt(postgresUrl);
try {
  await main(folder, database.env);
} finally {
  await database.dispose();
  await rm(folder, { recursive: true, force: true });
}
