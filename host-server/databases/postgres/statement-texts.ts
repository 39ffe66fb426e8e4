import { BoundedMap } from '../units/bounded-map.ts';
import { fromFirstWord, numberPlaceholders } from '../compile-query.ts';

/** The number of texts that are kept with numbered placeholders. */
const KEPT_TEXTS = 1000;
/** The number of statements that PostgreSQL keeps prepared on each connection. */
const MOST_NAMES = 300;
/** Longer texts are bulk writes: their number of rows differs from call to call. */
const LONGEST_NAMED = 4000;

export interface PlacedText {
  readonly text: string;
  /** The number of values that the text takes. */
  readonly count: number;
  /** The name under which PostgreSQL keeps the statement parsed and planned. Absent until the third call. */
  readonly name?: string;
}

interface KnownText extends PlacedText {
  name?: string;
  readonly mayBeNamed: boolean;
  isAskedAgain: boolean;
}

/** Numbers the placeholders of each text once, and names statements that are used again. */
export class StatementTexts {
  #texts = new BoundedMap<string, KnownText>(KEPT_TEXTS);
  #names = 0;
  #age = 0;

  /** Grows when all names are dropped; a connection of another age holds statements with obsolete names. */
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
        // Names go to the statements in use now. One that stays in use gets a new name at its third call.
        this.forgetNames();
        return this.place(sql);
      }
      this.#names += 1;
      known.name = `trellis_${this.#age}_${this.#names}`;
    }
    known.isAskedAgain = true;
    return known;
  }

  /** Also called after a schema change: PostgreSQL then refuses a prepared statement whose columns have other types. */
  forgetNames(): void {
    this.#age += 1;
    this.#names = 0;
    this.#texts = new BoundedMap(KEPT_TEXTS);
  }
}

/** Cursors and commands return different columns from call to call under the same text. */
function mayBeNamed(sql: string): boolean {
  return (
    sql.length <= LONGEST_NAMED &&
    /^(?:select|insert|update|delete|with|begin|commit|rollback)\b/i.test(fromFirstWord(sql))
  );
}
