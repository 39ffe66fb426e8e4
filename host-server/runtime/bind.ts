import { every, type Container } from '@trellis/core';
import {
  AccessServiceToken,
  AccountStoreToken,
  BusToken,
  OutboundToken,
  ServersToken,
  TasksToken,
  type Principal,
} from '@trellis/sdk/server';
import { busTransportOf } from '../databases/index.ts';
import { DatabaseToken } from '../databases/tokens.ts';
import { PluginServiceToken } from '../plugins/tokens.ts';
import { HostBackground } from './background/host-background.ts';
import { HostBus } from './bus/host-bus.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { createJobRuns } from './jobs/job-runs.ts';
import { HostOutbound } from './outbound/host-outbound.ts';
import { createLeases } from './leases.ts';
import { OwnedWork } from './owned-work.ts';
import { HostTasks } from './tasks/host-tasks.ts';
import { pruneTasks } from './tasks/prune-tasks.ts';
import { principalOf, starterOf, type TaskRow } from './tasks/task-row.ts';
import { TaskRows } from './tasks/task-rows.ts';
import { TaskWorker } from './tasks/task-worker.ts';
import {
  ConfigToken,
  HostBackgroundToken,
  HostJobToken,
  HostTasksToken,
  JobRunnerToken,
  LeasesToken,
  ListeningToken,
  LoggerToken,
  OwnedWorkToken,
  registryToken,
  TaskRowsToken,
  TaskWorkerToken,
} from './tokens.ts';

/** Binds the messaging between servers and the background work. */
export function bindRuntime(container: Container): void {
  container.bind(ListeningToken, { value: { port: undefined } });
  container.bind(OutboundToken, {
    needs: { config: ConfigToken, listening: ListeningToken },
    make: ({ config, listening }) =>
      new HostOutbound({ allow: config.outboundAllow, ownPort: () => listening.port }),
  });
  container.bind(HostBackgroundToken, { needs: {}, make: () => new HostBackground() });
  container.bind(BusToken, {
    needs: { config: ConfigToken, transports: registryToken('busTransports'), logger: LoggerToken },
    make: async ({ config, ...needed }) =>
      new HostBus({ ...needed, own: await busTransportOf(config.database) }),
    dispose: (bus) => bus.dispose(),
  });
  container.bind(OwnedWorkToken, {
    needs: { plugins: PluginServiceToken, logger: LoggerToken },
    make: ({ plugins, logger }) =>
      new OwnedWork({ plugins, logger, loggerFor: (plugin) => logger.child({ plugin }) }),
  });
  container.bind(LeasesToken, {
    needs: { database: DatabaseToken, servers: ServersToken },
    make: ({ database, servers }) => createLeases(database, { servers }),
  });
  container.bind(JobRunnerToken, {
    needs: {
      database: DatabaseToken,
      leases: LeasesToken,
      jobs: registryToken('jobs'),
      own: every(HostJobToken),
      work: OwnedWorkToken,
    },
    make: ({ database, ...needed }) => new JobRunner({ ...needed, runs: createJobRuns(database) }),
    dispose: (runner) => runner.stop(),
  });
  bindTasks(container);
}

function bindTasks(container: Container): void {
  container.bind(TaskRowsToken, {
    needs: { database: DatabaseToken },
    make: ({ database }) => new TaskRows(database),
  });
  container.bind(HostTasksToken, {
    needs: { rows: TaskRowsToken, kinds: registryToken('taskKinds'), bus: BusToken },
    make: (needed) => new HostTasks(needed),
  });
  container.bind(TasksToken, { needs: { tasks: HostTasksToken }, make: ({ tasks }) => tasks });
  container.bind(TaskWorkerToken, {
    needs: {
      rows: TaskRowsToken,
      tasks: HostTasksToken,
      kinds: registryToken('taskKinds'),
      access: AccessServiceToken,
      accounts: AccountStoreToken,
      work: OwnedWorkToken,
      bus: BusToken,
      servers: ServersToken,
      logger: LoggerToken,
    },
    make: ({ tasks, access, accounts, ...needed }) => {
      const scopeFor = (principal: Principal, row: TaskRow) =>
        access.scopeFor(principal, row.project_id ?? undefined, `task:${row.id}`);
      return new TaskWorker({
        ...needed,
        announce: (id) => tasks.announce(id),
        scopeOf: async (row) => scopeFor(await starterOf(row, accounts), row),
        cleanUpScopeOf: (row) => scopeFor(principalOf(row), row),
      });
    },
    dispose: (worker) => worker.stop(),
  });
  container.contribute(HostJobToken, {
    needs: { rows: TaskRowsToken },
    make: ({ rows }) => ({ id: 'prune-tasks', every: 6 * 3600, run: (context) => pruneTasks(rows, context) }),
  });
}
