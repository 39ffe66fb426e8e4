import { every, type Container } from '@trellis/core';
import { BusToken, OutboundToken } from '@trellis/sdk/server';
import { busTransportOf } from '../databases/index.ts';
import { PluginServiceToken } from '../plugins/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import { HostBus } from './bus/host-bus.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { HostOutbound } from './outbound/host-outbound.ts';
import { ConfigToken, HostJobToken, JobRunnerToken, LoggerToken, registryToken } from './tokens.ts';

/** Binds what carries messages between servers and what runs jobs. */
export function bindRuntime(container: Container): void {
  container.bind(OutboundToken, {
    needs: { config: ConfigToken },
    make: ({ config }) => new HostOutbound({ allow: config.outboundAllow }),
  });
  container.bind(BusToken, {
    needs: { config: ConfigToken, transports: registryToken('busTransports'), logger: LoggerToken },
    make: async ({ config, ...needed }) =>
      new HostBus({ ...needed, own: await busTransportOf(config.database) }),
    dispose: (bus) => bus.dispose(),
  });
  container.bind(JobRunnerToken, {
    needs: {
      metadata: MetadataToken,
      jobs: registryToken('jobs'),
      own: every(HostJobToken),
      plugins: PluginServiceToken,
      logger: LoggerToken,
    },
    make: ({ metadata, logger, ...needed }) =>
      new JobRunner({
        ...needed,
        logger,
        leases: metadata.leases,
        loggerFor: (plugin) => logger.child({ plugin }),
      }),
    dispose: (runner) => runner.stop(),
  });
}
