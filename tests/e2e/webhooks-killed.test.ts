import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { TestClient } from '@trellis/sdk/testing/server';
import fc from 'fast-check';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';
import { startReceiver, type Receiver } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

/** Seconds of writing and killing on each database; `TRELLIS_TEST_WEBHOOK_SECONDS=600` makes a campaign. */
const seconds = Number(process.env.TRELLIS_TEST_WEBHOOK_SECONDS ?? 10);
/** Changes of rows that have to be acknowledged on each database before the killing ends: `TRELLIS_TEST_WEBHOOK_EVENTS=100000`. */
const events = Number(process.env.TRELLIS_TEST_WEBHOOK_EVENTS ?? 0);
const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_123);
/** Milliseconds for a test: the writing, starts of the server, and what is told again after its leases have ended. */
const patience = 180_000 + seconds * 5000 + events * 60;
/** Few rows change again and again; for a number of events there are so many that one write in four brings most of them. */
const rowCount = events > 0 ? 100 : 8;
/** Milliseconds between a start and the next kill: a campaign leaves its servers long enough for several of them to tell of much. */
const lifetimes = events > 0 ? { min: 2000, max: 5000 } : { min: 500, max: 3000 };
/** One call of so many goes wrong. It holds its rows up for the five seconds of the first retry, and a message of all rows holds up all. */
const goodCalls = events > 0 ? 500 : 50;
/** What goes wrong, one after the other: the receiver has heard the message where its answer is lost, never comes or comes late. */
const mishaps = ['lost', 'failed', 'slow', 'moved', 'silent'] as const;
const meta = '/api/v1/db/meta';
const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };

/** Says what a campaign came to; the usual run is silent. */
function report(line: string): void {
  if (events > 0) process.stderr.write(`${line}\n`);
}

/** What one receiver was told of each row, repetitions left out. */
class Told {
  readonly #seen = new Set<string>();
  readonly #counts = new Map<string, number[]>();

  constructor(readonly receiver: Receiver) {}

  /** How many events it was told of. */
  get size(): number {
    return [...this.#counts.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** How many messages brought them, repetitions left out. */
  get messages(): number {
    return this.#seen.size;
  }

  /** The numbers that a row held, in the order in which they were told first. */
  of(row: string): readonly number[] {
    return this.#counts.get(row) ?? [];
  }

  /** @param many whether rows are told of as a list */
  hear(id: string, body: string, many: boolean): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const read = JSON.parse(body) as unknown;
    const rows = (many ? read : [read]) as readonly { readonly Id: number; readonly Count: number }[];
    for (const { Id, Count } of rows) {
      const row = String(Id);
      const counts = this.#counts.get(row) ?? [];
      counts.push(Number(Count));
      this.#counts.set(row, counts);
    }
  }
}

/** Plugins go on starting for a moment after the server listens; a busy one may refuse to say how far they are. */
async function untilEnabled(client: TestClient, plugin: string): Promise<void> {
  for (;;) {
    const { body } = await client.get<{ list?: readonly { id: string; state: string }[] }>(
      '/api/v1/app-store/plugins',
    );
    if (body.list?.some(({ id, state }) => id === plugin && state === 'enabled') === true) return;
    await delay(100);
  }
}

function describeKills(database: () => Promise<string | undefined>): void {
  let server: BuiltServer | undefined;
  let dataDir: string | undefined;
  const receivers: Receiver[] = [];

  afterAll(async () => {
    await server?.end('SIGKILL');
    for (const receiver of receivers) await receiver.close();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });

  test(
    `webhooks of a server that is killed again and again for ${seconds} seconds tell of all that it acknowledged, in the order of each row`,
    async () => {
      const folder = await shipToNewFolder([]);
      dataDir = folder;
      const url = await database();
      const env: Record<string, string> = {
        TRELLIS_OUTBOUND_ALLOW: '127.0.0.1',
        ...(url !== undefined && { TRELLIS_DB: url }),
      };
      let token: string | undefined;

      async function start(): Promise<TestClient> {
        server = startBuiltServer(folder, env);
        const client = new TestClient(await server.listening());
        if (token === undefined) {
          const made = await client.post<{ token: string }>('/api/v1/auth/user/signup', credentials);
          token = made.body.token;
        }
        return client.with({ token });
      }

      let client = await start();
      await untilEnabled(client, 'webhooks');
      // The receivers of this test take all that there is.
      const settings = { input: { atOnce: 50, perSecond: 1000 } };
      const path = '/api/v1/app-store/plugins/webhooks/settings';
      expect(await client.put(path, settings)).toMatchObject({ status: 200 });
      const project = await client.post<{ id: string }>(`${meta}/projects`, { title: 'Ledger' });
      const { body: table } = await client.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
        title: 'Counters',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Count', uidt: 'Number' },
        ],
      });
      const bulk = `/api/v1/db/data/bulk/noco/${project.body.id}/${table.id}`;
      const { body: rows } = await client.post<readonly { readonly Id: number }[]>(
        bulk,
        Array.from({ length: rowCount }, () => ({ Count: 0 })),
      );
      const keys = rows.map(({ Id }) => Id);

      async function tell(batch: boolean): Promise<Told> {
        const receiver = await startReceiver();
        receivers.push(receiver);
        const told = new Told(receiver);
        let calls = 0;
        receiver.answer(({ headers, body }, response) => {
          calls += 1;
          const mishap =
            calls % goodCalls === 0 ? mishaps[(calls / goodCalls - 1) % mishaps.length] : undefined;
          if (mishap === 'failed') return void response.writeHead(500).end();
          if (mishap === 'moved') return void response.writeHead(307, { location: 'http://10.0.0.1/' }).end();
          told.hear(headers['x-trellis-event-id'] ?? '', body, batch);
          if (mishap === 'lost') response.destroy();
          else if (mishap === 'slow') setTimeout(() => response.end('ok'), 3000).unref();
          else if (mishap !== 'silent') response.end('ok');
        });
        const made = await client.post(`${meta}/tables/${table.id}/hooks`, {
          title: batch ? 'Together' : 'One by one',
          operation: 'update',
          batch,
          notification: { type: 'URL', payload: { path: receiver.url } },
        });
        expect(made).toMatchObject({ status: 200 });
        return told;
      }
      const listeners = [await tell(false), await tell(true)];

      /** The numbers that each row was given and that were acknowledged, or may have been written. */
      const acknowledged = new Map<string, number[]>(keys.map((key) => [String(key), []]));
      let count = 0;
      let isOver = false;
      const write = async () => {
        while (!isOver) {
          count += 1;
          const written = count;
          // One row alone, or all of them in one call.
          const meant = written % 4 === 0 ? keys : keys.slice(written % rowCount, (written % rowCount) + 1);
          const status = await client
            .patch(
              bulk,
              meant.map((Id) => ({ Id, Count: written })),
            )
            .then((answer) => answer.status)
            .catch((error: unknown) => {
              if (isOver) return undefined;
              throw error;
            });
          if (status === 200) for (const key of meant) acknowledged.get(String(key))?.push(written);
        }
      };

      const inSeconds = (from: number, to = Date.now()) => ((to - from) / 1000).toFixed(0);
      const begun = Date.now();
      const end = begun + seconds * 1000;
      const moments = fc.sample(fc.integer(lifetimes), { seed, numRuns: 1000 });
      const changes = () => [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
      let kills = 0;
      const killed = async () => {
        await server?.end('SIGKILL');
        kills += 1;
        client = await start();
        // On a busy machine a start takes longer than a server lives.
        if (events > 0) await untilEnabled(client, 'webhooks');
        report(
          `${inSeconds(begun)} s: ${changes()} acknowledged, told ${listeners.map(({ size }) => size).join(' and ')}`,
        );
      };
      const moment = () => moments[kills % moments.length];
      while (kills === 0 || Date.now() < end || changes() < events) {
        isOver = false;
        const writing = write();
        await delay(moment());
        isOver = true;
        await killed();
        await writing;
      }
      expect(count).toBeGreaterThan(kills);
      const written = Date.now();
      const early = listeners.map((told) => told.size);
      const wanted = [...acknowledged].map(([row, counts]) => ({ row, counts }));
      // On a busy machine a short time acknowledges few writes.
      expect(wanted.some(({ counts }) => counts.length > 0)).toBe(true);

      const isToldAll = (told: Told) =>
        wanted.every(({ row, counts }) => {
          const heard = new Set(told.of(row));
          return counts.every((one) => heard.has(one));
        });
      // A campaign goes on killing while the server tells.
      let next = Date.now() + (moment() ?? 0);
      while (!listeners.every(isToldAll)) {
        await delay(200);
        if (events === 0 || Date.now() < next) continue;
        await killed();
        next = Date.now() + (moment() ?? 0);
      }
      for (const told of listeners)
        for (const { row } of wanted) {
          const heard = told.of(row);
          expect({ row, heard }).toEqual({ row, heard: heard.toSorted((a, b) => a - b) });
          expect(new Set(heard).size).toBe(heard.length);
        }
      report(
        `${changes()} events acknowledged in ${inSeconds(begun, written)} s, by then told of ${early.join(' and ')}; ${kills} kills; ` +
          `all told of after ${inSeconds(written)} s more: ${listeners.map(({ size, messages, receiver }) => `${size} in ${messages} messages, sent ${receiver.got.length} times`).join(' and ')}`,
      );
    },
    patience,
  );
}

describe('killed webhooks on SQLite', () => {
  describeKills(() => Promise.resolve(undefined));
});

describeEachServer('killed webhooks on a server', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeKills(() => databases.url());
});
