import { createToken, type Token } from '@trellis/core';
import { ChangeMarksToken, LiveChannelToken, OutboxToken } from '@trellis/sdk/server';
import type { CallMarks } from './call-marks.ts';
import type { ChangeLog } from './change-log.ts';
import type { HostLiveChannel } from './live/live-channel.ts';
import type { LiveFeed } from './live/live-feed.ts';
import type { HostOutbox } from './outbox/outbox.ts';
import type { LogFollower } from './log-follower.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { WrittenCalls } from './written-calls.ts';

export const ChangeLogToken = createToken<ChangeLog>('host.change-log');
/** The marks that plugins store with the changes of calls. */
export const CallMarksToken = ChangeMarksToken as Token<CallMarks>;
export const PendingChangesToken = createToken<PendingChanges>('host.pending-changes');
/** Calls that a write marks as done in its own transaction. */
export const WrittenCallsToken = createToken<WrittenCalls>('host.written-calls');
export const LogFollowerToken = createToken<LogFollower>('host.log-follower');
export const LiveFeedToken = createToken<LiveFeed>('host.live-feed');
/** The live channel, with the methods for the host only. */
export const HostLiveChannelToken = LiveChannelToken as Token<HostLiveChannel>;
/** The outbox, with the methods for the host only. */
export const HostOutboxToken = OutboxToken as Token<HostOutbox>;
