import { nameOf, type Foresight, type Foretold } from '../../sql/foresight.ts';
import type { LastResults, Session, SessionStatement, StatementResult } from '../../sql/session.ts';

/** A statement, and the answer it must give if work continued without waiting for it. */
export interface SharedStatement extends Pick<SessionStatement, 'sql' | 'bindings' | 'isSettled'> {
  readonly foretold?: Foretold;
}

/** The transaction that units share, on one connection. */
export interface SharedTransaction {
  /** Begins it, in the message of what runs first. Rejects with what concerns all units. */
  begin(): Promise<unknown>;
  /**
   * Runs statements in their order, in one message, and commits behind them where that is asked. Rejects where one does not answer
   * what was foretold.
   */
  run(
    statements: readonly SharedStatement[],
    options: { readonly commits: boolean },
  ): Promise<readonly StatementResult[]>;
  /** Undoes it; does nothing after its commit. */
  rollBack(): Promise<void>;
  /** Whether a failure of what carries the commit tells that nothing was committed, and concerns one of the units. */
  isOfOneUnit(error: unknown): boolean;
}

const nothing: StatementResult = { columns: [], rows: [], changes: 0 };

type Work = (session: Session) => Promise<void>;
type Outcome = PromiseSettledResult<void>;

interface Member {
  /** The last statements of the unit; none where it ended without. Rejects when it cannot end together with the others. */
  readonly ending: Promise<readonly SessionStatement[]>;
  readonly outcome: Promise<Outcome>;
}

/**
 * Units that share one transaction and, however many they are, two messages: the queries of all, and the last statements of all
 * together with the commit. In both, the statements of a unit are adjacent and in the order of the units, so each unit sees the
 * writes of those before it and none of those after it, as if they ran one after another.
 *
 * With foresight one message is enough: each unit gets the predicted answers, and the transaction runs all statements, compares,
 * and commits. If an answer cannot be predicted nothing is sent, and if an answer differs everything is rolled back.
 *
 * This requires works that issue all queries at once and then end with `last`. If a unit fails, or issues queries later, its
 * writes cannot be separated from those of the units after it, so everything is rolled back.
 */
export class SideBySide {
  readonly #transaction: SharedTransaction;
  readonly #foresight: Foresight | undefined;
  readonly #asked: SharedStatement[] = [];
  readonly #members: readonly Member[];
  readonly #answers: Promise<readonly StatementResult[]>;
  readonly #committed: Promise<readonly (readonly StatementResult[])[]>;
  #begun: Promise<unknown> | undefined;
  #isUnderWay = false;

  constructor(transaction: SharedTransaction, works: readonly Work[], foresight?: Foresight) {
    this.#transaction = transaction;
    this.#foresight = foresight;
    this.#members = works.map((work, place) => this.#start(work, place));
    this.#isUnderWay = true;
    this.#answers =
      foresight === undefined ? this.#begin(this.#asked, { commits: false }) : foretoldAnswers(this.#asked);
    this.#committed = this.#commit();
    for (const promise of [this.#answers, this.#committed]) promise.catch(() => {});
  }

  /** The outcome of each unit; undefined when nothing was written, so that they may run again one after another. */
  async outcomes(): Promise<readonly Outcome[] | undefined> {
    try {
      await this.#committed;
    } catch (error) {
      if (this.#begun !== undefined) await this.#transaction.rollBack();
      await this.#settled();
      // What keeps a transaction from beginning concerns all units.
      await this.#begun;
      if ((await this.#hasFailedUnit()) || this.#transaction.isOfOneUnit(error)) return undefined;
      throw error;
    }
    return this.#settled();
  }

  #start(work: Work, place: number): Member {
    let running = Promise.resolve();
    const ending = new Promise<readonly SessionStatement[]>((end, refuse) => {
      running = work(this.#session(place, end, refuse));
      running.then(() => end([]), refuse);
    });
    ending.catch(() => {});
    const outcome = running.then(
      (value): Outcome => ({ status: 'fulfilled', value }),
      (reason: unknown): Outcome => ({ status: 'rejected', reason }),
    );
    return { ending, outcome };
  }

  #session(
    place: number,
    end: (statements: readonly SessionStatement[]) => void,
    refuse: (error: Error) => void,
  ): Session {
    const ask = async (statements: readonly SessionStatement[]): Promise<readonly StatementResult[]> => {
      if (this.#isUnderWay) {
        const error = new Error('A unit that asks more than once cannot run beside others');
        refuse(error);
        throw error;
      }
      const from = this.#asked.length;
      for (const { sql, bindings, isSettled, foretell } of statements) {
        const foretold = this.#foresight && foretell?.(this.#foresight);
        this.#asked.push({ sql, bindings, isSettled, foretold });
      }
      // All of this is sent once each unit has begun.
      await Promise.resolve();
      return (await this.#answers).slice(from, from + statements.length);
    };
    return {
      async execute(sql, bindings = []) {
        const [result] = await ask([{ sql, bindings }]);
        return result ?? { columns: [], rows: [], changes: 0 };
      },
      executeAll: ask,
      executeLast: async (statements): Promise<LastResults> => {
        end(statements);
        await Promise.resolve();
        return { results: (await this.#committed)[place] ?? [], isCommitted: true };
      },
    };
  }

  /** Begins the transaction in the message of its first statements. */
  #begin(...run: Parameters<SharedTransaction['run']>): Promise<readonly StatementResult[]> {
    this.#begun = this.#transaction.begin();
    this.#begun.catch(() => {});
    return this.#run(...run);
  }

  /** Runs what is settled once for all units that ask for it. */
  async #run(
    statements: readonly SharedStatement[],
    options: { readonly commits: boolean },
  ): Promise<readonly StatementResult[]> {
    const places = new Map<string, number>();
    const sent: SharedStatement[] = [];
    const answeredAt = statements.map((statement) => {
      const name = statement.isSettled === true ? nameOf(statement) : undefined;
      const known = name === undefined ? undefined : places.get(name);
      if (known !== undefined) return known;
      if (name !== undefined) places.set(name, sent.length);
      return sent.push(statement) - 1;
    });
    const results = await this.#transaction.run(sent, options);
    return answeredAt.map((place) => results[place] ?? nothing);
  }

  /** Gives what the last statements of each unit answer. */
  async #commit(): Promise<readonly (readonly StatementResult[])[]> {
    const endings = await Promise.all(this.#members.map(({ ending }) => ending));
    const isAsked = this.#foresight === undefined;
    const results = isAsked
      ? await this.#run(endings.flat(), { commits: true })
      : await this.#begin([...this.#asked, ...endings.flat()], { commits: true });
    let from = isAsked ? 0 : this.#asked.length;
    return endings.map(({ length }) => {
      from += length;
      return results.slice(from - length, from);
    });
  }

  #settled(): Promise<readonly Outcome[]> {
    return Promise.all(this.#members.map(({ outcome }) => outcome));
  }

  /** Whether a unit failed before the commit was sent. */
  async #hasFailedUnit(): Promise<boolean> {
    const endings = await Promise.allSettled(this.#members.map(({ ending }) => ending));
    return endings.some(({ status }) => status === 'rejected');
  }
}

async function foretoldAnswers(asked: readonly SharedStatement[]): Promise<readonly StatementResult[]> {
  return asked.map(({ foretold }) => {
    if (foretold === undefined) throw new Error('What this statement answers is not known');
    return { columns: [], rows: foretold.rows.map((row) => [...row]), changes: foretold.changes };
  });
}
