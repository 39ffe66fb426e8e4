import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { createHostileGround, type HostileGround } from './hostile/ground.ts';
import { hostileRequests, type HostileRequest } from './hostile/requests.ts';

/** How many requests each database gets; `TRELLIS_TEST_HOSTILE=13400` sends 40,000 in all. */
const count = Number(process.env.TRELLIS_TEST_HOSTILE ?? 1000);
/** Milliseconds for a test. */
const patience = 120_000 + count * 60;
const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_121);
/** Requests under way at a time, as several people send them. */
const atOnce = 6;

/** Words of engines, drivers, paths and stacks, which belong into the log. */
const leak =
  /SQLITE_|sqlite3?_|\bER_[A-Z]|syntax error|near "|select .+ from|insert into|node_modules|host-server\/|\.ts:\d|\bat [\w.]+ \(|Maximum call stack|Cannot read prop|is not a function|undefined \(reading/i;

/** On each database other fields, ids and people have their turn. */
let parts = 0;

function describeRequests(database: () => Promise<string | undefined>): void {
  const part = parts;
  parts += 1;
  let ground: HostileGround;

  beforeAll(async () => {
    ground = await createHostileGround(await database());
  });

  afterAll(async () => {
    await ground?.server.dispose();
  });

  /** What is wrong with the answer to a request, with the request whole; undefined when it is a safe one. */
  async function problemOf(request: HostileRequest): Promise<object | undefined> {
    const client = { ...ground.outsiders, ...ground.members }[request.principal];
    if (client === undefined) throw new Error(`Nobody is called ${request.principal}`);
    const whole = { ...request, body: request.body?.slice(0, 500) };
    const answer = await client
      .send(request.method, request.path, request.body)
      .catch((error: unknown) => ({ error: String(error) }));
    if ('error' in answer) return { ...whole, ...answer };
    const said = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    // What a client sent may come back as data, so only refusals are searched for words of an engine.
    const isLeak = answer.status >= 400 && leak.test(said);
    if (answer.status < 500 && !isLeak) return undefined;
    return { ...whole, status: answer.status, said: said.slice(0, 500) };
  }

  test('every place of a path is filled with something that is there', () => {
    const paths = ground.routes.map(({ path }) => path);
    const places = new Set(paths.flatMap((path) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)));
    const { places: known } = ground.open;
    expect([...places].filter((name) => !Object.hasOwn(known, name ?? ''))).toEqual([]);
  });

  test(
    `${count} hostile requests are answered safely, and change nothing that their senders may not change`,
    async () => {
      const requests = hostileRequests(ground, { count, seed, part });
      const before = await ground.guardedState();
      const problems: object[] = [];
      const queue = requests.values();
      const senders = Array.from({ length: atOnce }, async () => {
        for (const request of queue) {
          const problem = await problemOf(request);
          if (problem !== undefined) problems.push(problem);
        }
      });
      await Promise.all(senders);
      expect(problems.slice(0, 10)).toEqual([]);
      expect(await ground.guardedState()).toBe(before);
    },
    patience,
  );
}

describe('generated requests on SQLite', () => {
  describeRequests(() => Promise.resolve(undefined));
});

describeEachServer('generated requests on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeRequests(() => databases.url());
});
