import { nameOf, type Foresight } from '../../sql/foresight.ts';
import type { SessionStatement } from '../../sql/session.ts';

type Rows = ReturnType<Foresight['read']>;

/** What units that share a transaction can know about it before it begins: later units see the expected results of earlier ones. */
export class Foreknowledge implements Foresight {
  readonly #committed: Foresight['read'];
  readonly #expected = new Map<string, Rows>();

  /** @param committed reads what is committed */
  constructor(committed: Foresight['read']) {
    this.#committed = committed;
  }

  read(statement: SessionStatement): Rows {
    const expected = this.#expected.size === 0 ? undefined : this.#expected.get(nameOf(statement));
    return expected ?? this.#committed(statement);
  }

  expect(statement: SessionStatement, rows: NonNullable<Rows>): void {
    this.#expected.set(nameOf(statement), rows);
  }
}
