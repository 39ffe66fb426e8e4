import { sep } from 'node:path';
import { TrellisError } from '@trellis/core';
import { DatabaseError } from '../../databases/index.ts';
import { isFullDisk } from '../full-disk.ts';
import type { Config } from './config.ts';

/** The reason why the server cannot start, for its operator. */
export function startProblem(error: unknown, config: Pick<Config, 'dataDir' | 'database'>): string {
  // Other errors of this server already have messages for operators.
  const reasons = error instanceof TrellisError ? causesOf(error) : [error];
  const isFull = reasons.some((reason) => isFullDisk(reason) || isOfFullFile(reason, config));
  if (!isFull) return error instanceof Error ? error.message : String(error);
  return `The disk of ${placesOf(config)} is full; make room on it and start again. What was stored before is still there.`;
}

function isOfFullFile(error: unknown, { database }: Pick<Config, 'database'>): boolean {
  return 'file' in database && error instanceof DatabaseError && error.kind === 'storageFull';
}

/** The places that a server writes to. */
function placesOf({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): string {
  const isBeside = 'file' in database && !database.file.startsWith(dataDir + sep);
  return isBeside ? `${dataDir} or of ${database.file}` : dataDir;
}

/** An error and its causes. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause)
    causes.push(cause);
  return causes;
}
