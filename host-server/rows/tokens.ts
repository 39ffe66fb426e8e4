import { createToken, type Token } from '@trellis/core';
import { RowStoreToken } from '@trellis/sdk/server';
import type { HostRowStore } from './row-store.ts';

/** Settles what killed processes left open in other databases, where no other server can be at it. Never rejects. */
export const SettleAtStartToken = createToken<() => Promise<void>>('host.settle-at-start');
/** The row store, with what only the host calls. */
export const HostRowStoreToken = RowStoreToken as Token<HostRowStore>;
