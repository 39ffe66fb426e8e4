import { BoundedMap } from '../units/bounded-map.ts';
import { fromFirstWord, numberPlaceholders } from '../compile-query.ts';

/** Texts that are remembered with their placeholders numbered. */
const KEPT_TEXTS = 1000;
/** Statements that PostgreSQL keeps prepared on each connection. */
const MOST_NAMES = 300;
/** Longer texts are bulk writes: their number of rows differs from call to call. */
const LONGEST_NAMED = 4000;

export interface PlacedText {
  readonly text: string;
  /** How many values the text wants. */
  readonly count: number;
  /** Under this name PostgreSQL keeps the statement parsed and planned. Absent for what was asked once only. */
  readonly name?: string;
}

interface KnownText extends PlacedText {
  name?: string;
  readonly mayBeNamed: boolean;
  isAskedAgain: boolean;
}

/** Numbers the placeholders of each text once, and names the statements that come again. */
export class StatementTexts {
  #texts = new BoundedMap<string, KnownText>(KEPT_TEXTS);
  #names = 0;
  #age = 0;

  /** Grows when all names are given up; a connection of another age has statements that nobody names any more. */
  get age(): number {
    return this.#age;
  }

  /** @param sql with `?` for each value and `\?` for a question mark */
  place(sql: string): PlacedText {
    const known = this.#texts.get(sql);
    if (known === undefined) {
      const added: KnownText = {
        ...numberPlaceholders(sql),
        isAskedAgain: false,
        mayBeNamed: mayBeNamed(sql),
      };
      this.#texts.set(sql, added);
      return added;
    }
    if (known.name === undefined && known.mayBeNamed && known.isAskedAgain) {
      if (this.#names === MOST_NAMES) {
        // Names go to what is asked for now. What is still asked for gets another one at its third time.
        this.forgetNames();
        return this.place(sql);
      }
      this.#names += 1;
      known.name = `trellis_${this.#age}_${this.#names}`;
    }
    known.isAskedAgain = true;
    return known;
  }

  /** After a schema change, too: PostgreSQL refuses a prepared statement whose columns have other types now. */
  forgetNames(): void {
    this.#age += 1;
    this.#names = 0;
    this.#texts = new BoundedMap(KEPT_TEXTS);
  }
}

/** Cursors and commands answer with other columns from one call to the next under the same text. */
function mayBeNamed(sql: string): boolean {
  return (
    sql.length <= LONGEST_NAMED &&
    /^(?:select|insert|update|delete|with|begin|commit|rollback)\b/i.test(fromFirstWord(sql))
  );
}
