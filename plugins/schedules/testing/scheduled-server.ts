import { readFileSync } from 'node:fs';
import type { ScheduledOutcome, ScheduledRun } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  type TestClient,
  testPlugin,
  type TestServer,
  type TestServerOptions,
} from '@trellis/sdk/testing/server';
import { createSchedulesPlugin } from '../server/create-plugin.ts';
import type { RunEntity, ScheduleEntity, ScheduleInput } from '../shared/index.ts';
import { ManualClock } from './manual-clock.ts';

/** A run of the test's own action; the test decides how it ends. */
export interface Baking {
  readonly run: ScheduledRun;
  done(outcome?: ScheduledOutcome): void;
  fail(error: Error): void;
}

/** The runs of the action `bakery.bake` in the order of their starts. */
export class Bakery {
  readonly begun: Baking[] = [];
  #heard: (() => void)[] = [];

  plugin() {
    return testPlugin(
      'bakery',
      (ctx) =>
        void ctx.register('scheduledActions', {
          id: 'bakery.bake',
          label: 'Bake',
          description: 'Bakes bread.',
          icon: 'sun',
          target: 'none',
          settings: { type: 'object', properties: { loaves: { type: 'integer', title: 'Loaves' } } },
          check: ({ loaves }): Readonly<Record<string, string>> =>
            Number(loaves ?? 1) > 0 ? {} : { '/loaves': 'Bake one at least.' },
          run: (run) =>
            new Promise((resolve, reject) => {
              const done = (outcome: ScheduledOutcome = { msg: 'Baked.' }) => resolve(outcome);
              this.begun.push({ run, done, fail: reject });
              run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
              for (const hear of this.#heard.splice(0)) hear();
            }),
        }),
      { dependencies: { schedules: '*' } },
    );
  }

  /** The run with this number, counted from 1, when it begins. */
  async next(number: number): Promise<Baking> {
    for (;;) {
      const baking = this.begun[number - 1];
      if (baking !== undefined) return baking;
      await new Promise<void>((resolve) => this.#heard.push(resolve));
    }
  }
}

/** A project on a server whose schedules use the test's clock. */
export interface ScheduledServer {
  readonly server: TestServer;
  readonly clock: ManualClock;
  readonly bakery: Bakery;
}

export async function startScheduledServer(
  options: TestServerOptions & { readonly clock?: ManualClock; readonly bakery?: Bakery } = {},
): Promise<ScheduledServer> {
  const { clock = new ManualClock('2026-03-02T06:00:30Z'), bakery = new Bakery(), ...others } = options;
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../plugin.json', import.meta.url).pathname, 'utf8'),
  );
  const server = await createTestServer({
    ...others,
    plugins: [
      { manifest, server: createSchedulesPlugin(clock) },
      bakery.plugin(),
      ...(options.plugins ?? []),
    ],
  });
  return { server, clock, bakery };
}

/** The calls of a person who manages a project's schedules. */
export function keeperOf(client: TestClient, projectId: string) {
  const path = `/api/v1/plugins/schedules/projects/${projectId}/schedules`;
  const log = async (id: string) => (await client.get<{ list: RunEntity[] }>(`${path}/${id}/runs`)).body.list;
  return {
    path,
    log,
    async make(input: Partial<ScheduleInput>): Promise<ScheduleEntity> {
      const { status, body } = await client.post<ScheduleEntity>(path, {
        title: 'Bread',
        action: 'bakery.bake',
        cron: '0 8 * * *',
        time_zone: 'UTC',
        ...input,
      });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body;
    },
    read: async (id: string) => (await client.get<ScheduleEntity>(`${path}/${id}`)).body,
    runNow: async (id: string) => (await client.post<RunEntity>(`${path}/${id}/run`, undefined)).body,
    cancel: (id: string, runId: string) =>
      client.post<RunEntity>(`${path}/${id}/runs/${runId}/cancel`, undefined),
    /** The log when it meets the condition. */
    until: (id: string, meets: (list: readonly RunEntity[]) => boolean): Promise<readonly RunEntity[]> =>
      askUntil(() => log(id), meets),
  };
}
