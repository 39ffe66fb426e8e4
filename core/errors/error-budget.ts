import { systemClock, TimeLimitError, type Clock } from '../lifecycle/clock.ts';
import type { Disposable } from '../lifecycle/disposable.ts';
import { Emitter, type Event } from '../lifecycle/emitter.ts';
import { isExpected } from './trellis-error.ts';

/**
 * What happens to a subject that failed too often. *suspended* (the default): it is out of service, and others go on without it.
 * *refusing*: it stays in service, and operations on which it fails are still refused, because nothing else makes its check.
 */
export type WhenSpent = 'suspended' | 'refusing';

/** A part of a plugin that can fail on its own: a tap, a registry item. */
export interface BudgetSubject {
  /** The plugin's id. */
  readonly owner: string;
  /** What fails, for the message: "tap on rows.willCreate". */
  readonly description: string;
  readonly whenSpent?: WhenSpent | undefined;
  /** Called when it has failed too often; disposing the result restores it. */
  suspend(): Disposable;
}

export interface Exhaustion {
  readonly owner: string;
  readonly description: string;
  /** The error that exhausted the budget. */
  readonly error: unknown;
}

export interface ErrorBudgetOptions {
  /** Contained errors allowed within the window; the one that reaches the limit suspends. Default 20. */
  readonly limit?: number;
  /** Milliseconds. Default one minute. */
  readonly window?: number;
  readonly clock?: Clock;
}

/**
 * The number of errors that a time-out counts as, since there cannot be many of them within the window: four exhaust the budget.
 */
const costOfWaiting = 5;

function costOf(error: unknown): number {
  return error instanceof TimeLimitError ? costOfWaiting : 1;
}

/**
 * Counts contained errors per subject, and suspends only the subject that fails too often; see `WhenSpent`. Expected errors never
 * count: bad data must not switch a feature off.
 */
export class ErrorBudget {
  readonly #limit: number;
  readonly #window: number;
  readonly #clock: Clock;
  readonly #times = new WeakMap<BudgetSubject, number[]>();
  readonly #suspensions = new Map<string, Map<BudgetSubject, Disposable>>();
  readonly #exhausted = new Emitter<Exhaustion>();

  readonly onDidExhaust: Event<Exhaustion> = this.#exhausted.event;

  constructor(options: ErrorBudgetOptions = {}) {
    this.#limit = options.limit ?? 20;
    this.#window = options.window ?? 60_000;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Counts one contained error of a subject.
   *
   * @param cost the number of errors that it counts as. By default one; a time-out counts as several.
   */
  charge(subject: BudgetSubject, error: unknown, cost = costOf(error)): void {
    if (isExpected(error) || this.#suspensions.get(subject.owner)?.has(subject) === true) return;
    const now = this.#clock.now();
    const recent = (this.#times.get(subject) ?? []).filter((time) => now - time < this.#window);
    for (let counted = 0; counted < cost; counted += 1) recent.push(now);
    this.#times.set(subject, recent);
    if (recent.length >= this.#limit) this.#suspend(subject, error);
  }

  #suspend(subject: BudgetSubject, error: unknown): void {
    const ofOwner = this.#suspensions.get(subject.owner) ?? new Map<BudgetSubject, Disposable>();
    ofOwner.set(subject, subject.suspend());
    this.#suspensions.set(subject.owner, ofOwner);
    this.#exhausted.fire({ owner: subject.owner, description: subject.description, error });
  }

  /** Descriptions of an owner's subjects that are out of service. */
  suspendedOf(owner: string): readonly string[] {
    return this.#spentOf(owner, 'suspended');
  }

  /** Descriptions of an owner's subjects that failed too often and are still called. */
  refusingOf(owner: string): readonly string[] {
    return this.#spentOf(owner, 'refusing');
  }

  #spentOf(owner: string, kind: WhenSpent): readonly string[] {
    return [...(this.#suspensions.get(owner)?.keys() ?? [])]
      .filter(({ whenSpent = 'suspended' }) => whenSpent === kind)
      .map(({ description }) => description);
  }

  /** Gives all subjects of an owner a fresh budget, and restores the suspended ones. */
  async resume(owner: string): Promise<void> {
    const ofOwner = this.#suspensions.get(owner);
    this.#suspensions.delete(owner);
    for (const [subject, suspension] of ofOwner ?? []) {
      this.#times.delete(subject);
      await suspension.dispose();
    }
  }

  /** Forgets an owner that is gone, without restoring its subjects. */
  forget(owner: string): void {
    this.#suspensions.delete(owner);
  }
}
