import { expect, test } from '@jest/globals';
import { isOutage } from '@trellis/sdk/server';
import { DatabaseError, type DatabaseErrorKind } from './database-error.ts';

test('plugins know by its code a database that could not answer at this moment', () => {
  const known = (kind: DatabaseErrorKind) => isOutage(new DatabaseError(kind));
  for (const kind of ['busy', 'deadlock', 'unreachable', 'timeout'] as const) expect(known(kind)).toBe(true);
  for (const kind of ['unique', 'cancelled', 'readOnly', 'damaged', 'unknown'] as const)
    expect(known(kind)).toBe(false);
  expect(isOutage(new DatabaseError('timeout', { code: 'STREAM_STALLED' }))).toBe(true);
});
