import { randomUUID } from 'node:crypto';
import type { Servers } from '@trellis/sdk/server';

/** A server for tests, with the ids of ended servers. */
export function serverOfTest(ended: readonly string[] = []): Servers {
  return {
    id: `test:${randomUUID()}`,
    endedOf: (ids) => Promise.resolve(ids.filter((id) => ended.includes(id))),
  };
}
