import { later, type Container } from '@trellis/core';
import { AccessServiceToken, AuditLogToken, BusToken } from '@trellis/sdk/server';
import { PrincipalsToken } from '../access/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import { ConfigToken, LoggerToken } from '../runtime/tokens.ts';
import { createAuditLog } from './audit-log.ts';
import { ChangeRecorder } from './change-recorder.ts';
import { followBus } from './live/follow-bus.ts';
import { createLiveChannel } from './live/live-channel.ts';
import { LiveLog } from './live/live-log.ts';
import { ChangeRecorderToken, HostLiveChannelToken, LiveLogToken } from './tokens.ts';

/** Binds the recorder of changes and its readers. */
export function bindChanges(container: Container): void {
  container.bind(ChangeRecorderToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => new ChangeRecorder(metadata),
  });
  container.bind(AuditLogToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => createAuditLog(metadata),
  });
  container.bind(LiveLogToken, {
    needs: { live: later(HostLiveChannelToken), bus: BusToken },
    make: ({ live, bus }) => new LiveLog({ publish: (event) => live().publish(event), bus }),
  });
  container.bind(HostLiveChannelToken, {
    needs: {
      principals: PrincipalsToken,
      access: AccessServiceToken,
      liveLog: LiveLogToken,
      bus: BusToken,
      logger: LoggerToken,
      config: ConfigToken,
    },
    make({ config, liveLog, bus, ...needed }) {
      const live = createLiveChannel({
        ...needed,
        replay: liveLog,
        site: config,
        trustProxy: config.trustProxy,
        announceEnd: (ended) => bus.publish('credential.ended', ended),
      });
      followBus({ bus, live, liveLog, logger: needed.logger });
      return live;
    },
    dispose: (live) => live.close(),
  });
}
