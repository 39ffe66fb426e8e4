import { DatabaseError } from '../databases/index.ts';

interface Remembered<Answer> {
  readonly version: number;
  readonly at: number;
  readonly answer: Answer;
}

/** Milliseconds for which an answer is believed: other programs may write to the table as well, and conditions may go by the clock. */
const life = 5000;

/** How many answers are kept, and which of them. */
interface Limits<Answer> {
  readonly most: number;
  /** Whether an answer is small enough to be kept; all are where left out. */
  keeps?(this: void, answer: Answer): boolean;
}

/**
 * Answers of the database that are expensive to have: remembered for a moment, else asked for. Who asks while the same is being asked gets
 * that answer, so that many who open a large table at once do not fill the line of long reads.
 */
export class RememberedAnswers<Answer> {
  readonly #limits: Limits<Answer>;
  readonly #known = new Map<string, Remembered<Answer>>();
  /** What is under way. */
  readonly #asking = new Map<string, { readonly version: number; readonly answer: Promise<Answer> }>();

  constructor(limits: Limits<Answer>) {
    this.#limits = limits;
  }

  /** @param version of the rows: an answer about other ones is no answer */
  async get(key: string, version: number, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(key);
    if (known !== undefined && known.version === version && Date.now() - known.at < life) return known.answer;
    const asking = this.#asking.get(key);
    if (asking?.version !== version) return this.#askAnew(key, version, ask);
    try {
      return await asking.answer;
    } catch (error) {
      // The caller that asked first has gone away, so this one asks itself.
      if (error instanceof DatabaseError && error.kind === 'cancelled') return this.get(key, version, ask);
      throw error;
    }
  }

  clear(): void {
    this.#known.clear();
  }

  async #askAnew(key: string, version: number, ask: () => Promise<Answer>): Promise<Answer> {
    const asked = ask();
    this.#asking.set(key, { version, answer: asked });
    try {
      const answer = await asked;
      if (this.#limits.keeps?.(answer) ?? true) {
        if (this.#known.size >= this.#limits.most) this.#known.clear();
        this.#known.set(key, { version, at: Date.now(), answer });
      }
      return answer;
    } finally {
      if (this.#asking.get(key)?.answer === asked) this.#asking.delete(key);
    }
  }
}
