import { randomUUID } from 'node:crypto';
import type { Servers } from '@trellis/sdk/server';

/** A server of a test, with those that have ended. */
export function serverOfTest(ended: readonly string[] = []): Servers {
  return {
    id: `test:${randomUUID()}`,
    endedOf: (ids) => Promise.resolve(ids.filter((id) => ended.includes(id))),
  };
}
