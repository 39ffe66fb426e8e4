import type { Session } from '../../sql/session.ts';
import type { Unit } from '../../sql/unit.ts';
import type { UnitOptions } from '../database.ts';
import { runAfterCommit } from './after-commit.ts';
import { withinLimits } from './limited.ts';
import type { SessionUnit } from './session-unit.ts';

export interface WritingUnitParts {
  readonly unitOn: (session: Session) => SessionUnit;
  /** Runs the work in a transaction, possibly more than once, and resolves after the commit. */
  readonly write: <T>(run: (session: Session) => Promise<T>) => Promise<T>;
}

/**
 * Runs `work` as a unit of a transaction that others may share, and then the actions that wait for its commit. When a limit is
 * reached, a running statement continues, since others share it; further ones are refused.
 */
export async function inWritingUnit<T>(
  work: (unit: Unit) => Promise<T>,
  options: UnitOptions,
  { unitOn, write }: WritingUnitParts,
): Promise<T> {
  let unit: SessionUnit | undefined;
  try {
    const result = await write(async (session) => {
      const own = unitOn(session);
      unit = own;
      try {
        const value = await withinLimits(
          options,
          () => own.close(),
          () => work(own),
        );
        own.assertWhole();
        return value;
      } finally {
        own.close();
      }
    });
    runAfterCommit(unit?.close() ?? []);
    return result;
  } catch (error) {
    // A limit may have stopped the work while its commit was on the way.
    if (unit !== undefined && (await unit.hasCommitted())) runAfterCommit(unit.close());
    throw error;
  }
}
