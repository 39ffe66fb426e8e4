import type { Bus, Logger } from '@trellis/sdk/server';
import type { HostLiveChannel } from './live-channel.ts';
import type { LiveLog } from './live-log.ts';

/** Tells this server's browsers to read again what other servers wrote, and ends sockets whose credentials ended anywhere. */
export function followBus(deps: {
  readonly bus: Bus;
  readonly live: HostLiveChannel;
  readonly liveLog: LiveLog;
  readonly logger: Logger;
}): void {
  const { bus, live, liveLog, logger } = deps;
  bus.subscribe('rows.changed', {
    message(written, origin) {
      if (origin === 'elsewhere') liveLog.reset(written);
    },
    gap() {
      live
        .resetAll()
        .catch((error: unknown) => logger.error('Browsers could not be told to read again', { error }));
    },
  });
  bus.subscribe('generation.raised', {
    message({ scope, value }, origin) {
      const isProject = scope.startsWith('p_');
      if (origin === 'here' || !isProject) return;
      live.publish({ kind: 'schema', projectId: scope, generation: value, requestId: '' });
    },
    gap: () => {},
  });
  bus.subscribe('credential.ended', {
    message: (ended) => live.drop(ended),
    gap() {
      live
        .recheckAll()
        .catch((error: unknown) => logger.error('Live sockets could not be checked again', { error }));
    },
  });
}
