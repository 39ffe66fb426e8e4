import { createToken, type Token } from '@trellis/core';
import { LiveChannelToken } from '@trellis/sdk/server';
import type { ChangeRecorder } from './change-recorder.ts';
import type { HostLiveChannel } from './live/live-channel.ts';
import type { LiveLog } from './live/live-log.ts';

export const ChangeRecorderToken = createToken<ChangeRecorder>('host.change-recorder');
export const LiveLogToken = createToken<LiveLog>('host.live-log');
/** The live channel, with what only the host calls. */
export const HostLiveChannelToken = LiveChannelToken as Token<HostLiveChannel>;
