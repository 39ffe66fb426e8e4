import { later, type Container } from '@trellis/core';
import { AccessServiceToken, AuditLogToken, BackgroundToken, BusToken } from '@trellis/sdk/server';
import { PrincipalsToken } from '../access/tokens.ts';
import { MetadataToken } from '../metadata/tokens.ts';
import {
  ConfigToken,
  HooksToken,
  HostBusToken,
  HostJobToken,
  LoggerToken,
  PluginErrorsToken,
  registryToken,
} from '../runtime/tokens.ts';
import {
  AnnounceSchemaChangeToken,
  ForgetDroppedToken,
  HostSchemaStoreToken,
  RecordSchemaChangeToken,
  WrittenRowsToken,
} from '../schema/tokens.ts';
import { createAuditLog } from './audit-log.ts';
import { CallMarks } from './call-marks.ts';
import { ChangeLog } from './change-log.ts';
import { createAnnounceSchemaChange } from './live/announce-schema-change.ts';
import { followBus } from './live/follow-bus.ts';
import { followGenerations } from './live/follow-generations.ts';
import { createLiveChannel } from './live/live-channel.ts';
import { LiveFeed } from './live/live-feed.ts';
import { createTableOf } from './live/table-of.ts';
import { LogFollower } from './log-follower.ts';
import { createOutbox } from './outbox/outbox.ts';
import { PendingChanges } from './pending-changes.ts';
import { forgetColumn, forgetLost, forgetTable } from './retention/forget.ts';
import { Purges } from './retention/purges.ts';
import { pruneChanges } from './retention/prune.ts';
import { SettledLog } from './settled-log.ts';
import { WrittenCalls } from './written-calls.ts';
import { createFindWrittenRows } from './written-rows.ts';
import {
  CallMarksToken,
  ChangeLogToken,
  HostLiveChannelToken,
  HostOutboxToken,
  LiveFeedToken,
  LogFollowerToken,
  PendingChangesToken,
  WrittenCallsToken,
} from './tokens.ts';

/** Binds the change log and its readers. */
export function bindChanges(container: Container): void {
  container.bind(ChangeLogToken, {
    needs: { metadata: MetadataToken, marks: CallMarksToken },
    make: ({ metadata, marks }) => new ChangeLog(metadata, marks),
  });
  container.bind(CallMarksToken, {
    needs: { changeMarks: registryToken('changeMarks'), errors: PluginErrorsToken },
    make: (needed) => new CallMarks(needed),
  });
  container.bind(PendingChangesToken, {
    needs: { metadata: MetadataToken, log: ChangeLogToken, calls: WrittenCallsToken },
    make: ({ metadata, log, calls }) => new PendingChanges(metadata, log, calls),
  });
  container.bind(WrittenCallsToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => new WrittenCalls(metadata),
  });
  container.bind(AuditLogToken, {
    needs: { metadata: MetadataToken, log: ChangeLogToken, bus: BusToken },
    make: ({ metadata, log, bus }) => createAuditLog(metadata, { log, bus }),
  });
  container.bind(HostOutboxToken, {
    needs: {
      metadata: MetadataToken,
      log: ChangeLogToken,
      background: BackgroundToken,
      logger: LoggerToken,
    },
    make: createOutbox,
    dispose: (outbox) => outbox.dispose(),
  });
  container.bind(ForgetDroppedToken, {
    needs: { metadata: MetadataToken, hooks: HooksToken },
    make: ({ metadata, hooks }) => ({
      table: (tableId) => forgetTable(metadata, tableId),
      column: (column) => forgetColumn(metadata, column),
      async goneTable(table) {
        await hooks.tell('tables.didPurge', table);
      },
      async project(projectId) {
        await hooks.tell('projects.didPurge', { projectId });
      },
    }),
  });
  container.bind(RecordSchemaChangeToken, {
    needs: { log: ChangeLogToken },
    make: ({ log }) => log.recordSchemaChange.bind(log),
  });
  container.bind(AnnounceSchemaChangeToken, {
    needs: { metadata: MetadataToken, live: HostLiveChannelToken, hooks: HooksToken },
    make: createAnnounceSchemaChange,
  });
  container.bind(WrittenRowsToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => createFindWrittenRows(metadata),
  });
  container.contribute(HostJobToken, {
    needs: { metadata: MetadataToken, config: ConfigToken, hooks: HooksToken },
    make: ({ metadata, hooks, config: { changeDays: days } }) => ({
      id: 'prune-changes',
      every: 3600,
      run: (run) => pruneChanges(metadata, { days, hooks, ...run }),
    }),
  });
  container.contribute(HostJobToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => ({
      id: 'forget-lost',
      every: 3600,
      run: ({ signal }) => forgetLost(metadata, signal),
    }),
  });
  container.contribute(HostJobToken, {
    needs: { metadata: MetadataToken, hooks: HooksToken },
    make: (needed) => ({
      id: 'finish-purges',
      every: 60,
      run: ({ signal }) => new Purges(needed).finishAll(signal),
    }),
  });
  container.bind(LiveFeedToken, {
    needs: {
      live: later(HostLiveChannelToken),
      schema: later(HostSchemaStoreToken),
      access: AccessServiceToken,
      metadata: MetadataToken,
      log: ChangeLogToken,
      logger: LoggerToken,
    },
    make: ({ live, schema, access, metadata, log, logger }) =>
      new LiveFeed({
        log,
        settled: new SettledLog(metadata),
        publish(event) {
          live().publish(event);
          return live().sent();
        },
        isHeard: (tableId) => live().isHeard(tableId),
        tableOf: createTableOf(schema, access),
        onError: (error) => logger.error('Changes could not be sent to browsers', { error }),
      }),
    dispose: (feed) => feed.dispose(),
  });
  container.bind(LogFollowerToken, {
    needs: { metadata: MetadataToken, bus: HostBusToken, logger: LoggerToken },
    make: ({ logger, ...needed }) =>
      new LogFollower({
        ...needed,
        onError: (error) => logger.warn('What other servers wrote could not be looked for', { error }),
      }),
    dispose: (follower) => follower.dispose(),
  });
  container.bind(HostLiveChannelToken, {
    needs: {
      principals: PrincipalsToken,
      access: AccessServiceToken,
      feed: LiveFeedToken,
      bus: BusToken,
      topics: registryToken('liveTopics'),
      metadata: MetadataToken,
      logger: LoggerToken,
      config: ConfigToken,
    },
    make({ config, feed, bus, metadata, ...needed }) {
      const live = createLiveChannel({
        ...needed,
        bus,
        replay: feed,
        site: config,
        trustProxy: config.trustProxy,
        announceEnd: (ended) => bus.publish('credential.ended', ended),
      });
      followBus({ bus, live, feed, logger: needed.logger });
      followGenerations(metadata.generations, live);
      return live;
    },
    dispose: (live) => live.close(),
  });
}
