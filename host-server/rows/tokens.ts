import type { Token } from '@trellis/core';
import { RowStoreToken } from '@trellis/sdk/server';
import type { HostRowStore } from './row-store.ts';

/** The row store, with what only the host calls. */
export const HostRowStoreToken = RowStoreToken as Token<HostRowStore>;
