import { createToken, type Token } from '@trellis/core';
import { RowStoreToken } from '@trellis/sdk/server';
import type { HostRowStore } from './row-store.ts';

/** Settles what killed processes left unfinished in external databases, if no other server can be working there. Never rejects. */
export const SettleAtStartToken = createToken<() => Promise<void>>('host.settle-at-start');
/** The row store with the methods for the host only. */
export const HostRowStoreToken = RowStoreToken as Token<HostRowStore>;
