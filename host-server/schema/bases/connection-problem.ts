import { TrellisError } from '@trellis/core';
import { DatabaseError } from '../../databases/index.ts';
import { schemaErrors } from '../schema-errors.ts';

/**
 * The outbound gate's error for an address that the operator would have to allow. It is thrown before any connection, so its
 * message may be shown.
 */
const ofTheGate = 'OUTBOUND_REFUSED';

/**
 * The reason why a connection failed, as one of a few messages. It contains no text of a driver, and is the same for a host that
 * is unknown, silent or no database.
 */
export function connectionProblem(error: unknown): TrellisError {
  if (error instanceof TrellisError && error.code === ofTheGate) return error;
  const code = error instanceof DatabaseError ? error.code : undefined;
  if (code === 'DATABASE_LOGIN') return schemaErrors.create('DATABASE_CREDENTIALS', {}, error);
  if (code === 'DATABASE_MISSING') return schemaErrors.create('DATABASE_ABSENT', {}, error);
  if (code === 'SCHEMA_MISSING') return schemaErrors.create('DATABASE_SCHEMA_ABSENT', {}, error);
  if (code === 'DATABASE_FORBIDDEN' || (error instanceof DatabaseError && error.kind === 'readOnly'))
    return schemaErrors.create('DATABASE_NO_RIGHT', {}, error);
  return schemaErrors.create('DATABASE_UNUSABLE', {}, error);
}
