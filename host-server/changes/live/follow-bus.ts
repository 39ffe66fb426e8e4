import type { Bus, Logger } from '@trellis/sdk/server';
import type { HostLiveChannel } from './live-channel.ts';
import type { LiveFeed } from './live-feed.ts';

/** Sends this server's browsers what other servers wrote, and ends sockets whose credentials ended anywhere. */
export function followBus(deps: {
  readonly bus: Bus;
  readonly live: HostLiveChannel;
  readonly feed: LiveFeed;
  readonly logger: Logger;
}): void {
  const { bus, live, feed, logger } = deps;
  bus.subscribe('rows.changed', {
    message(_written, origin) {
      if (origin === 'elsewhere') feed.wake();
    },
    gap: () => feed.wake(),
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
  bus.subscribe('objects.changed', {
    message: (changed) => live.publish({ kind: 'objects', ...changed }),
    // A page that connects again reads everything again; for others a lost message is made up for by the next change.
    gap: () => {},
  });
  bus.subscribe('task.changed', {
    message: ({ projectId, task }) => live.publish({ kind: 'task', projectId, task }),
    // The next message tells how far a task is.
    gap: () => {},
  });
}
