import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { askUntil, TestClient } from '@trellis/sdk/testing/server';
import fc from 'fast-check';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

/** How often the server is killed on each database; `TRELLIS_TEST_KILLS=100` makes a campaign of 300. */
const kills = Number(process.env.TRELLIS_TEST_KILLS ?? 3);
/** Milliseconds for a test: a start, some writing and a look at what is left for each kill. */
const patience = 120_000 + kills * 10_000;
const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_121);
const rowsPerBatch = 60;
/** A load is published in three transactions. */
const rowsPerLoad = 4500;
const meta = '/api/v1/db/meta';
const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };

/** Lets a test load rows, as importers do: staged first, then added by a task. */
const loader = {
  id: 'loader',
  name: 'Loader',
  server: `import { RowStoreToken, SchemaStoreToken } from '@trellis/sdk/server';
    async function* rowsOf(load, count) {
      for (let part = 1; part <= count; part += 1) yield { Batch: load, Part: part };
    }
    export default {
      setup(ctx) {
        ctx.routes({
          method: 'POST',
          path: 'tables/:tableId/:load/:count',
          permission: 'bulkDataInsert',
          object: { kind: 'table', param: 'tableId' },
          bodyKind: 'none',
          summary: 'Load rows',
          handle: async ({ scope, params }) => {
            const table = await ctx.get(SchemaStoreToken).open(scope, params.tableId);
            return ctx.get(RowStoreToken).load(table, rowsOf(Number(params.load), Number(params.count)));
          },
        });
      },
    };`,
};

/** What is known of the rows that were written with one number. */
interface Batch {
  /** `maybe`: the call was under way when the server was killed. */
  inserted: 'yes' | 'maybe';
  deleted: 'no' | 'yes' | 'maybe';
  /** The notes that its rows may have; all of them have the same one. */
  notes: (string | null)[];
}

/** One life of the server: what was asked of it and what it acknowledged before it was killed. */
class Life {
  readonly batches = new Map<number, Batch>();
  /** Loads that were acknowledged, and one that may have been. */
  readonly loads = new Map<number, 'yes' | 'maybe'>();
  isOver = false;

  constructor(
    readonly client: TestClient,
    readonly table: TableEntity,
    readonly loaded: TableEntity,
    readonly project: string,
    readonly firstBatch: number,
  ) {}

  get #bulk(): string {
    return `/api/v1/db/data/bulk/noco/${this.project}/${this.table.id}`;
  }

  /** Whether the server acknowledged a call; one that the kill cut off did or did not happen. */
  async #done(call: () => Promise<{ readonly status: number }>): Promise<'yes' | 'no' | 'cut'> {
    try {
      return (await call()).status === 200 ? 'yes' : 'no';
    } catch (error) {
      if (this.isOver) return 'cut';
      throw error;
    }
  }

  async writeRows(): Promise<void> {
    for (let number = this.firstBatch; !this.isOver; number += 1) {
      const batch: Batch = { inserted: 'maybe', deleted: 'no', notes: [null] };
      this.batches.set(number, batch);
      const rows = Array.from({ length: rowsPerBatch }, (_, part) => ({ Batch: number, Part: part }));
      const inserted = await this.#done(() => this.client.post(this.#bulk, rows));
      if (inserted === 'no') this.batches.delete(number);
      if (inserted !== 'yes') continue;
      batch.inserted = 'yes';
      const where = `where=(Batch,eq,${number})`;
      if (number % 2 === 0) {
        const note = `changed ${number}`;
        const changed = await this.#done(() =>
          this.client.patch(`${this.#bulk}/all?${where}`, { Note: note }),
        );
        if (changed !== 'no') batch.notes = changed === 'yes' ? [note] : [null, note];
      }
      if (number % 3 === 0) {
        const deleted = await this.#done(() => this.client.delete(`${this.#bulk}/all?${where}`));
        if (deleted !== 'no') batch.deleted = deleted === 'yes' ? 'yes' : 'maybe';
      }
    }
  }

  async loadRows(): Promise<void> {
    for (let load = this.firstBatch; !this.isOver; load += 1) await this.load(load);
  }

  /** Whether a load was acknowledged. */
  async load(load: number): Promise<'yes' | 'no' | 'cut'> {
    const path = `/api/v1/plugins/loader/tables/${this.loaded.id}/${load}/${rowsPerLoad}`;
    this.loads.set(load, 'maybe');
    const done = await this.#done(() => this.client.post(path));
    if (done === 'no') this.loads.delete(load);
    if (done === 'yes') this.loads.set(load, 'yes');
    return done;
  }

  /** Adds, changes and deletes columns for as long as the server lives. */
  async changeColumns(): Promise<void> {
    const note = this.table.columns?.find(({ title }) => title === 'Note')?.id ?? '';
    for (let turn = 0; !this.isOver; turn += 1) {
      await this.#done(async () => {
        const added = await this.client.post<TableEntity>(`${meta}/tables/${this.table.id}/columns`, {
          title: `Extra ${this.firstBatch} ${turn}`,
          uidt: 'Number',
        });
        const extra = added.body.columns?.find(({ title }) => title.startsWith('Extra '));
        const uidt = turn % 2 === 0 ? 'LongText' : 'SingleLineText';
        await this.client.patch(`${meta}/columns/${note}`, { title: 'Note', uidt });
        return extra === undefined ? added : this.client.delete(`${meta}/columns/${extra.id}`);
      });
    }
  }

  async togglePlugin(): Promise<void> {
    const path = '/api/v1/app-store/plugins/column-rating';
    for (let turn = 0; !this.isOver; turn += 1) {
      await this.#done(() => this.client.post(`${path}/${turn % 2 === 0 ? 'disable' : 'enable'}`, {}));
    }
  }

  /** Compares the rows that the next server finds with what this one acknowledged. */
  async check(client: TestClient): Promise<void> {
    const found = new Map<number, (string | null)[]>();
    for (let offset = 0; ; offset += 1000) {
      const path = `/api/v1/db/data/noco/${this.project}/${this.table.id}?limit=1000&offset=${offset}`;
      const page = await client.get<{ list: readonly { Batch: number | string; Note: string | null }[] }>(
        path,
      );
      expect(page).toMatchObject({ status: 200 });
      for (const { Batch: number, Note: note } of page.body.list) {
        const notes = found.get(Number(number)) ?? [];
        notes.push(note);
        found.set(Number(number), notes);
      }
      if (page.body.list.length < 1000) break;
    }
    for (const [number, notes] of found) {
      const batch = this.batches.get(number);
      expect({ number, count: notes.length, isKnown: batch !== undefined }).toEqual({
        number,
        count: rowsPerBatch,
        isKnown: true,
      });
      expect(batch?.deleted).not.toBe('yes');
      expect(batch?.notes).toContain(notes[0]);
      expect(new Set(notes).size).toBe(1);
    }
    for (const [number, batch] of this.batches) {
      if (batch.inserted === 'yes' && batch.deleted === 'no')
        expect({ number, isThere: found.has(number) }).toEqual({ number, isThere: true });
    }
  }
}

/** Waits for what the killed servers left of loads, and compares the rows with what they acknowledged. */
async function checkLoads(
  client: TestClient,
  {
    project,
    loaded,
    lives,
  }: { readonly project: string; readonly loaded: TableEntity; readonly lives: readonly Life[] },
): Promise<void> {
  for (;;) {
    const { body } = await client.get<{ list: readonly { kind: string; state: string }[] }>(
      `/api/v1/tasks?project=${project}`,
    );
    const states = body.list.filter(({ kind }) => kind === 'rows.load').map(({ state }) => state);
    expect(states.filter((state) => state === 'failed' || state === 'cancelled')).toEqual([]);
    if (states.every((state) => state === 'done')) break;
    await delay(250);
  }
  const loads = new Map(lives.flatMap((life) => [...life.loads]));
  for (const [load, isLoaded] of loads) {
    const data = `/api/v1/db/data/noco/${project}/${loaded.id}`;
    const { body } = await client.get<{ count: number }>(`${data}/count?where=(Batch,eq,${load})`);
    const count = Number(body.count);
    if (isLoaded === 'yes' || count > 0) expect({ load, count }).toEqual({ load, count: rowsPerLoad });
  }
}

/** The plugins that are neither on nor off once all of them have started. */
async function settledStates(client: TestClient): Promise<readonly object[]> {
  type Answer = { list: readonly { id: string; state: string; reason?: string }[] };
  const list = await askUntil(
    async () => (await client.get<Answer>('/api/v1/app-store/plugins')).body.list,
    (plugins) => plugins.every(({ state }) => state !== 'starting'),
  );
  // Those that nobody has switched on yet are 'discovered'.
  return list.filter(({ state }) => !['enabled', 'disabled', 'discovered'].includes(state));
}

function describeKills(database: () => Promise<string | undefined>): void {
  let server: BuiltServer | undefined;
  let dataDir: string | undefined;

  afterAll(async () => {
    await server?.end('SIGKILL');
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });

  test(
    `a server that is killed ${kills} times under load keeps what it acknowledged, and nothing by halves`,
    async () => {
      const folder = await shipToNewFolder([loader]);
      dataDir = folder;
      const url = await database();
      const env: Record<string, string> = url === undefined ? {} : { TRELLIS_DB: url };
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
      // On a busy machine the server listens before the last plugins have started, and the first table needs one of them.
      expect(await settledStates(client)).toEqual([]);
      const project = await client.post<{ id: string }>(`${meta}/projects`, { title: 'Ledger' });
      const made = await client.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
        title: 'Lines',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Batch', uidt: 'Number' },
          { title: 'Part', uidt: 'Number' },
          { title: 'Note', uidt: 'SingleLineText' },
          { title: 'Stars', uidt: 'Rating' },
        ],
      });
      expect(made).toMatchObject({ status: 200 });
      const { body: loaded } = await client.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
        title: 'Loads',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Batch', uidt: 'Number' },
          { title: 'Part', uidt: 'Number' },
        ],
      });

      const idle = new Life(client, made.body, loaded, project.body.id, 999_999);
      expect(await idle.load(idle.firstBatch)).toBe('yes');
      const lives = [idle];
      const moments = fc.sample(fc.integer({ min: 20, max: 700 }), { seed, numRuns: kills });
      for (const [round, moment] of moments.entries()) {
        const life = new Life(client, made.body, loaded, project.body.id, round * 100_000);
        lives.push(life);
        const work = Promise.all([
          life.writeRows(),
          life.loadRows(),
          life.changeColumns(),
          life.togglePlugin(),
        ]);
        await delay(moment);
        life.isOver = true;
        await server?.end('SIGKILL');
        await work;

        client = await start();
        await life.check(client);
        const bulk = `/api/v1/db/data/bulk/noco/${project.body.id}/${made.body.id}`;
        expect(await client.delete(`${bulk}/all?confirm=all`)).toMatchObject({ status: 200 });
        // Nothing that the kill left behind stands in the way of the next change.
        const column = { title: `After ${round}`, uidt: 'Number' };
        const added = await client.post<TableEntity>(`${meta}/tables/${made.body.id}/columns`, column);
        expect(added).toMatchObject({ status: 200 });
        expect(await settledStates(client)).toEqual([]);
        for (const extra of added.body.columns ?? [])
          if (/^(?:After|Extra) /.test(extra.title)) await client.delete(`${meta}/columns/${extra.id}`);
      }
      await checkLoads(client, { project: project.body.id, loaded, lives });
    },
    patience,
  );
}

describe('random kills on SQLite', () => {
  describeKills(() => Promise.resolve(undefined));
});

describeEachServer('random kills on a server', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeKills(() => databases.url());
});
