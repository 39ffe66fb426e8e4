import type { Disposable } from './disposable.ts';

/** A disposable that was created while a tracker was installed and was never disposed. */
export interface Leak {
  readonly disposable: Disposable;
  /** Where it was created. */
  readonly stack: string;
}

let current: LeakTracker | undefined;

/**
 * Finds disposables that nobody disposed. For tests: a stack is taken at every creation, which is slow.
 *
 * @example
 * const leaks = LeakTracker.install();
 * try { await exercise(); leaks.assertNone(); } finally { leaks.uninstall(); }
 */
export class LeakTracker {
  readonly #stacks = new Map<Disposable, string>();

  /** Starts tracking. Only one tracker can be installed at a time. */
  static install(): LeakTracker {
    if (current !== undefined) {
      throw new Error('A leak tracker is already installed; uninstall it before installing another.');
    }
    current = new LeakTracker();
    return current;
  }

  /** Stops tracking; what was found so far stays readable. */
  uninstall(): void {
    if (current === this) current = undefined;
  }

  /** The disposables that are still alive, oldest first. */
  leaks(): readonly Leak[] {
    return [...this.#stacks].map(([disposable, stack]) => ({ disposable, stack }));
  }

  /** @throws Error that lists the creation stack of every disposable still alive. */
  assertNone(): void {
    const leaks = this.leaks();
    if (leaks.length === 0) return;
    const stacks = leaks.map((leak, index) => `#${index + 1} ${leak.stack}`).join('\n\n');
    throw new Error(`${leaks.length} disposables were never disposed. They were created here:\n\n${stacks}`);
  }

  /** @internal */
  opened(disposable: Disposable): void {
    const stack = new Error('created').stack ?? '(no stack)';
    this.#stacks.set(disposable, stack.split('\n').slice(3).join('\n'));
  }

  /** @internal */
  closed(disposable: Disposable): void {
    this.#stacks.delete(disposable);
  }
}

/** @internal Called by every creator of disposables in this folder. */
export function trackDisposable(disposable: Disposable): void {
  current?.opened(disposable);
}

/** @internal */
export function markDisposed(disposable: Disposable): void {
  current?.closed(disposable);
}
