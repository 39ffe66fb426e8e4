import type { SharedFiles } from '@trellis/sdk/server';
import { createReadStream } from 'node:fs';
import { attachment } from '../shared/index.ts';
import { grantedAddresses } from './granted-files.ts';
import { bodyLimitOf, type Uploads } from './uploads.ts';

/** Receives files from visitors, and shows files to them. */
export function sharedFiles(uploads: Uploads, limit: () => number): SharedFiles {
  return {
    ...grantedAddresses,
    columnType: attachment.id,
    largestBody: () => bodyLimitOf(limit()),
    async receive({ name, path }, to) {
      const target = await uploads.received(to);
      // The bytes are already on this machine.
      const { signal } = new AbortController();
      return uploads.keep({ name, content: createReadStream(path) }, target, signal);
    },
  };
}
