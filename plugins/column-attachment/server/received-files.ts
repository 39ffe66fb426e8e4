import { createReadStream } from 'node:fs';
import { attachment, type SharedFiles } from '../shared/index.ts';
import { grantedAddresses } from './granted-files.ts';
import { bodyLimitOf, type Uploads } from './uploads.ts';

/** Files as senders without an account send and see them. */
export function sharedFiles(uploads: Uploads, limit: () => number): SharedFiles {
  return {
    ...grantedAddresses,
    columnType: attachment.id,
    largestBody: () => bodyLimitOf(limit()),
    async receive({ name, path }, to) {
      const target = await uploads.received(to);
      // The bytes are here already.
      const { signal } = new AbortController();
      return uploads.keep({ name, content: createReadStream(path) }, target, signal);
    },
  };
}
