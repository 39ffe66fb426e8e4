import type { Foretold } from '../../sql/foresight.ts';
import { fromInteger } from './sqlite-values.ts';

/** What a statement answers is not what was expected, so that the work that went on with it must be done again. */
class Unforeseen extends Error {
  readonly code = 'UNFORESEEN';

  constructor() {
    super('A statement answers something else than was foretold');
  }
}

/** @throws Unforeseen unless both are the same. A cell may be foretold as it was bound. */
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
