import { DatabaseError } from '../../sql/database-error.ts';

/** What a connection's socket tells. */
export interface Traffic {
  /** Bytes that have come in. */
  readonly received: number;
  /** Bytes that the system has not taken yet. */
  readonly unsent: number;
}

export interface AnswerWatchParts {
  readonly traffic: () => Traffic;
  /** Asks the server by way of a second connection whether it works on a statement of this one. */
  readonly isWorking: () => Promise<boolean>;
  /** Closes the connection at once. */
  readonly destroy: () => void;
  /** Milliseconds without an answer after which the server is asked. */
  readonly silenceMs: number;
}

/**
 * Watches the statements of one connection. A network or a proxy that swallows bytes tells nobody, so a connection that has been
 * silent for a while is checked: a server that cannot be asked, or that knows of no running statement, twice in a row, has
 * lost it. The connection is destroyed then and what waits on it rejects with kind `unreachable`. A slow statement goes on, and so do
 * a long statement and a large answer that are still on a slow way.
 */
export class AnswerWatch {
  readonly #parts: AnswerWatchParts;
  readonly #waiting = new Set<(error: DatabaseError) => void>();
  #timer: NodeJS.Timeout | undefined;
  #answers = 0;
  #received = 0;

  constructor(parts: AnswerWatchParts) {
    this.#parts = parts;
  }

  /** The answer, or the loss of the connection, whichever comes first. */
  during<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#timer ??= setTimeout(() => void this.#check(0), this.#parts.silenceMs).unref();
      this.#received = this.#parts.traffic().received;
      const hear = () => {
        this.#waiting.delete(reject);
        this.#answers += 1;
        if (this.#waiting.size === 0) this.#stop();
        else this.#timer?.refresh();
      };
      answer.then(
        (value) => {
          hear();
          resolve(value);
        },
        (error: unknown) => {
          hear();
          reject(error);
        },
      );
    });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #startAgain(ms: number, doubts: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(doubts), ms).unref();
  }

  /** Whether something came in since the last look, or still goes out. */
  #isMoving(): boolean {
    const { received, unsent } = this.#parts.traffic();
    const isMoving = unsent > 0 || received !== this.#received;
    this.#received = received;
    return isMoving;
  }

  async #check(doubts: number): Promise<void> {
    const { isWorking, destroy, silenceMs } = this.#parts;
    const heard = this.#answers;
    const works = this.#isMoving() || (await isWorking().catch(() => false));
    if (this.#waiting.size === 0) return;
    if (works || this.#answers !== heard) {
      this.#startAgain(silenceMs, 0);
    } else if (doubts === 0) {
      // Statement or answer may have been on their way while the server was asked.
      this.#startAgain(silenceMs / 2, 1);
    } else {
      const error = new DatabaseError('unreachable', {
        cause: new Error('The connection fell silent in the middle of a statement'),
      });
      for (const reject of this.#waiting) reject(error);
      destroy();
    }
  }
}
