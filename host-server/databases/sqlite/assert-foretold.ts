import type { Foretold } from '../../sql/foresight.ts';
import { fromInteger } from './sqlite-values.ts';

/** A statement's answer differs from the expected one, so the work that continued with that must be repeated. */
class Unforeseen extends Error {
  readonly code = 'UNFORESEEN';

  constructor() {
    super('A statement answers something else than was foretold');
  }
}

/** @throws Unforeseen unless both are the same. A cell may be expected in the form in which it was bound. */
export function assertForetold(answer: Foretold, { rows, changes }: Foretold): void {
  const isSame =
    answer.changes === changes &&
    answer.rows.length === rows.length &&
    answer.rows.every((row, index) => areSame(row, rows[index] ?? []));
  if (!isSame) throw new Unforeseen();
}

function areSame(row: readonly unknown[], foretold: readonly unknown[]): boolean {
  return row.length === foretold.length && row.every((cell, index) => isSame(cell, foretold[index]));
}

function isSame(cell: unknown, foretold: unknown): boolean {
  switch (typeof foretold) {
    case 'boolean':
      return cell === Number(foretold);
    case 'bigint':
      return cell === fromInteger(foretold);
    case 'object':
      return foretold instanceof Uint8Array && cell instanceof Uint8Array
        ? Buffer.compare(foretold, cell) === 0
        : cell === foretold;
    default:
      return cell === foretold;
  }
}
