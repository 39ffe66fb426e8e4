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
 * Watches the statements of one connection. A network or proxy that swallows bytes reports no error, so a connection that is
 * silent for a while is checked. If twice in a row the server cannot be asked, or knows of no running statement, the connection
 * is destroyed, and waiting calls reject with kind `unreachable`. Slow statements continue, and so do long statements and large
 * answers that are still being transferred.
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

  /** Whether bytes were received since the last check, or are still being sent. */
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
      // The statement or its answer may have been in transit while the server was asked.
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
