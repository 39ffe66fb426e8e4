import type { HookRegistry } from '@trellis/core';
import type { ServerHooks } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import { inParts } from '../../sql/in-parts.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { untouchedSince } from '../keys-in-log.ts';

/** Keys that those who follow rows are told of at a time. */
const keysAtOnce = 500;

export interface DeletedRows {
  readonly tableId: string;
  readonly keys: readonly RowKey[];
  /** The number of the entry that deleted them. */
  readonly last: number;
}

/**
 * What tells those who follow rows of deleted ones that nothing brings back any more, unless something happened to a row of the same key
 * since: what else is kept of a row is kept by its key, which may be that of another one by now.
 */
export function tellingOfPurged(
  metadata: Metadata,
  hooks: Pick<HookRegistry<ServerHooks>, 'tell'>,
): (rows: DeletedRows) => Promise<void> {
  let isInTime = true;
  return async ({ tableId, keys, last }) => {
    for (const part of inParts(await untouchedSince(metadata, { tableId, keys }, last), keysAtOnce)) {
      const told = hooks.tell('rows.didPurge', { tableId, keys: part });
      // A handler that took too long once is not waited for again: there may be thousands of pieces.
      if (isInTime) isInTime = await told;
    }
  };
}
