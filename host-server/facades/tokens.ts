import { createToken } from '@trellis/core';
import type { AdapterCalls } from './adapter-calls.ts';
import type { ListenerRunner } from './listener-runner.ts';

export const AdapterCallsToken = createToken<AdapterCalls>('host.adapter-calls');
export const ListenerRunnerToken = createToken<ListenerRunner>('host.listener-runner');
