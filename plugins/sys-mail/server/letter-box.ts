import { randomBytes } from 'node:crypto';
import type { Letter, Logger, PluginDatabase, PluginUnit, Secrets } from '@trellis/sdk/server';
import type { MailProblem } from '../shared/index.ts';

/** Milliseconds until a letter is tried again, by the number of tries. */
const pauses = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * 60_000);
const twoDays = 2 * 24 * 3600_000;
const atOnce = 20;
const purpose = 'letter';

interface LetterRow {
  readonly id: string;
  /** A letter, encrypted, since its links give access. */
  readonly sealed: string;
  readonly attempts: number | string;
  /** JSON of a `MailProblem`: why the last attempt failed. */
  readonly problem?: string | null;
}

export interface LetterBoxDependencies {
  readonly db: PluginDatabase;
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Sends a letter to the mail server; rejects if that refuses it. */
  readonly deliver: (letter: Letter) => Promise<void>;
  /** The problem shown to people for the error of an attempt. */
  readonly problemOf: (error: unknown) => MailProblem;
  /** Called after each attempt with its problem, or undefined. */
  readonly tried?: (problem: MailProblem | undefined) => Promise<void>;
  /** Called for a letter that expired unsent, with the problem of its last attempt. */
  readonly gaveUp?: (letter: Letter, problem: MailProblem | undefined) => Promise<void>;
  readonly now?: () => number;
}

/** Letters that the mail server has not accepted yet. */
export class LetterBox {
  readonly #deps: LetterBoxDependencies;
  readonly #now: () => number;

  constructor(deps: LetterBoxDependencies) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => Date.now());
  }

  /** Stores a letter, and tries it once; resolves to whether that succeeded. */
  async post(letter: Letter): Promise<boolean> {
    const { db, secrets } = this.#deps;
    const at = this.#now();
    const row = {
      id: randomBytes(15).toString('hex'),
      sealed: secrets.encrypt(purpose, JSON.stringify(letter)),
      attempts: 0,
      // Not before the attempt below has ended.
      next_at: at + (pauses[0] ?? 0),
      until: letter.until ?? at + twoDays,
    };
    await db.write((unit) => unit.run(unit.table('letter').insert(row)));
    return this.#try(row);
  }

  /** The number of unsent letters. */
  async waiting(): Promise<number> {
    const [counted] = await this.#deps.db.read((unit) =>
      unit.all<{ readonly letters: number | string }>(unit.table('letter').count({ letters: '*' })),
    );
    return Number(counted?.letters ?? 0);
  }

  /** Has waiting letters tried again at once, since the sender changed; not those whose first attempt may still be running. */
  async hurry(): Promise<void> {
    const { db } = this.#deps;
    const at = this.#now();
    await db.write((unit) =>
      unit.run(
        unit.table('letter').where('attempts', '>', 0).where('next_at', '>', at).update({ next_at: at }),
      ),
    );
  }

  /** Tries the letters that are due, and deletes expired ones. */
  async sendDue(signal: AbortSignal): Promise<void> {
    const { db } = this.#deps;
    const at = this.#now();
    await this.#giveUp(at);
    const due = await db.read((unit) =>
      unit.all<LetterRow>(
        unit.table('letter').where('next_at', '<=', at).orderBy('next_at').limit(atOnce).select('*'),
      ),
    );
    for (const row of due) {
      if (signal.aborted) return;
      await this.#try(row);
    }
  }

  /** Deletes expired letters; if several servers find one, only one of them reports it. */
  async #giveUp(at: number): Promise<void> {
    const { db, logger, gaveUp } = this.#deps;
    const over = await db.read((unit) =>
      unit.all<LetterRow>(unit.table('letter').where('until', '<=', at).select('*')),
    );
    for (const { id, sealed, problem } of over) {
      if ((await db.write((unit) => unit.run(unit.table('letter').where({ id }).delete()))) === 0) continue;
      try {
        await gaveUp?.(this.#open(sealed), problem ? (JSON.parse(problem) as MailProblem) : undefined);
      } catch (error) {
        logger.warn('Nobody was told of a letter that was given up', { error });
      }
    }
  }

  #open(sealed: string): Letter {
    return JSON.parse(this.#deps.secrets.decrypt(purpose, sealed)) as Letter;
  }

  async #try({ id, sealed, attempts }: LetterRow): Promise<boolean> {
    const { db, logger, deliver, tried, problemOf } = this.#deps;
    const letter = (unit: PluginUnit) => unit.table('letter').where({ id });
    try {
      await deliver(this.#open(sealed));
    } catch (error) {
      const problem = problemOf(error);
      await tried?.(problem);
      const times = Number(attempts) + 1;
      logger.warn('A letter could not be sent yet', {
        attempt: times,
        reason: error instanceof Error ? error.message : String(error),
      });
      const pause = pauses[Math.min(times, pauses.length) - 1] ?? twoDays;
      await db.write((unit) =>
        unit.run(
          letter(unit).update({
            attempts: times,
            next_at: this.#now() + pause,
            problem: JSON.stringify(problem),
          }),
        ),
      );
      return false;
    }
    await db.write((unit) => unit.run(letter(unit).delete()));
    await tried?.(undefined);
    return true;
  }
}
