import type { BudgetSubject, ErrorBudget, WhenSpent } from '../errors/error-budget.ts';
import { recordErrorOrigin } from '../errors/error-origin.ts';
import { isExpected } from '../errors/trellis-error.ts';
import { systemClock, TimeLimitError, withTimeLimit, type Clock } from '../lifecycle/clock.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { onUnexpectedError } from '../lifecycle/unexpected-error.ts';
import { hookErrors } from './hook-errors.ts';
import type {
  HookArguments,
  HookDefinition,
  HookHandler,
  HookOutcome,
  HookSpec,
  TapOptions,
} from './hook-types.ts';
import { createInterpretedHook } from './interpreted-hook.ts';
import { orderTaps } from './tap-order.ts';

export interface HookServices {
  /** Called for every error that was kept from the caller, and for every defect of a handler that refused the operation. */
  onContained(error: unknown, owner: string, hookId: string): void;
  /** Counts these errors; without a budget nothing is ever suspended. */
  readonly budget?: ErrorBudget;
  /** The most milliseconds that a handler may delay an operation; no limit by default. */
  readonly limit?: number;
  readonly clock?: Clock;
  /** The name of an owner for people; its id by default. */
  nameOf?(owner: string): string;
}

/** Milliseconds that hosts allow a handler that delays an operation. */
export const longestHook = 5000;

type Handler = (input: unknown, context: unknown) => unknown;

interface Tap extends BudgetSubject {
  readonly order: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly handler: Handler;
  state: 'active' | WhenSpent | 'removed';
}

/**
 * One hook: an ordered list of taps and a way to call them. It uses tapable, which cannot remove a tap, so the list is kept here
 * and a new tapable hook is made lazily after a change. Plugins never see a tapable object.
 */
export class HookPoint<S extends HookSpec> {
  readonly definition: HookDefinition<S['kind']>;
  readonly #services: HookServices;
  #taps: readonly Tap[] = [];
  #run: ((input: unknown, context: unknown) => Promise<unknown>) | undefined;

  /** @throws Error for a did hook whose errors are not contained: a past event cannot be refused. */
  constructor(definition: HookDefinition<S['kind']>, services: HookServices) {
    if (definition.kind === 'did' && definition.policy !== 'contain') {
      throw new Error(
        `Hook '${definition.id}' tells of what already happened and cannot refuse it; declare the policy 'contain'.`,
      );
    }
    this.definition = definition;
    this.#services = services;
  }

  /** The number of taps, including suspended ones. */
  get size(): number {
    return this.#taps.length;
  }

  /** The owners of the taps in the order in which they run, without suspended ones. */
  owners(): readonly string[] {
    return this.#taps.filter(({ state }) => state !== 'suspended').map(({ owner }) => owner);
  }

  /**
   * Adds a handler for an owner (a plugin's id).
   *
   * @returns a disposable that removes it; a removed tap is skipped even by a call under way.
   * @throws Error when its `before` or `after` contradicts existing taps.
   */
  tap(owner: string, handler: HookHandler<S>, options: TapOptions = {}): Disposable {
    const { policy } = this.definition;
    const whenSpent = this.definition.whenSpent ?? (policy === 'propagate' ? 'refusing' : 'suspended');
    const tap: Tap = {
      owner,
      description: `tap on ${this.definition.id}`,
      order: options.order ?? 0,
      before: options.before,
      after: options.after,
      handler: handler as Handler,
      state: 'active',
      whenSpent,
      suspend: () => {
        // A call that began before may still fail after its tap was removed.
        if (tap.state === 'active') tap.state = whenSpent;
        return {
          dispose: () => {
            if (tap.state === whenSpent) tap.state = 'active';
          },
        };
      },
    };
    this.#replaceTaps(orderTaps(this.definition.id, [...this.#taps, tap]));
    return toDisposable(() => {
      tap.state = 'removed';
      this.#replaceTaps(this.#taps.filter((other) => other !== tap));
    });
  }

  /**
   * Runs the taps. A waterfall resolves to the value, a bail hook to the first result or `undefined`, a did hook to
   * nothing once all handlers are done.
   *
   * @throws only under the policy *propagate*: the veto or typed error of a handler; `HOOK_FAILED` for a handler that failed or
   * returned an invalid value, `HOOK_TIMEOUT` for one that did not answer; `HOOK_OUT_OF_ORDER` in their place once that happened
   * too often.
   */
  async call(...args: HookArguments<S>): Promise<HookOutcome<S>>;
  async call(input: unknown, context?: unknown): Promise<unknown> {
    if (this.#taps.length === 0) return this.definition.kind === 'waterfall' ? input : undefined;
    this.#run ??= createInterpretedHook(
      this.definition.kind,
      this.#taps.map((tap) => ({ name: tap.owner, run: (value, extra) => this.#runTap(tap, value, extra) })),
    );
    return this.#run(input, context);
  }

  #replaceTaps(taps: readonly Tap[]): void {
    this.#taps = taps;
    this.#run = undefined;
  }

  async #runTap(tap: Tap, input: unknown, context: unknown): Promise<unknown> {
    if (tap.state === 'suspended' || tap.state === 'removed') return undefined;
    const { id, policy, kind } = this.definition;
    const { handler } = tap;
    try {
      const outcome = await this.#inTime(tap, () => handler(input, context));
      if (kind === 'waterfall') this.#assertFits(tap, input, outcome);
      return outcome;
    } catch (error) {
      recordErrorOrigin(error, { owner: tap.owner, where: `hook ${id}` });
      if (policy === 'propagate' && isExpected(error)) throw error;
      this.#report(error, tap);
      if (policy === 'propagate') throw this.#refusal(error, tap);
      return undefined;
    }
  }

  /** Only operations that would wait have a limit; nothing waits for the handlers of a past event. */
  #inTime(tap: Tap, run: () => unknown): unknown {
    const { limit, clock = systemClock } = this.#services;
    const { id, kind } = this.definition;
    const outcome = run();
    if (limit === undefined || kind === 'did' || !isPromise(outcome)) return outcome;
    return withTimeLimit(clock, limit, `'${tap.owner}' in hook '${id}'`, () => outcome);
  }

  /** @throws TypeError for a returned value with which the operation would do something else than asked */
  #assertFits(tap: Tap, given: unknown, returned: unknown): void {
    if (returned === undefined || returned === given) return;
    const problem =
      returned === null
        ? 'returned null; return undefined to keep the value'
        : this.definition.check?.(given as never, returned);
    if (problem !== undefined)
      throw new TypeError(`'${tap.owner}' in hook '${this.definition.id}' ${problem}.`);
  }

  /** The error that the caller gets for a defect: it names the plugin, and says that nothing was done. */
  #refusal(error: unknown, { owner, state }: Tap): Error {
    const { limit = 0, nameOf } = this.#services;
    const hook = this.definition.id;
    const plugin = nameOf?.(owner) ?? owner;
    const code = error instanceof TimeLimitError ? 'HOOK_TIMEOUT' : 'HOOK_FAILED';
    const refusal =
      state === 'refusing'
        ? hookErrors.create('HOOK_OUT_OF_ORDER', { plugin, hook }, error)
        : hookErrors.create(code, { plugin, hook, seconds: limit / 1000 }, error);
    recordErrorOrigin(refusal, { owner, where: `hook ${hook}` });
    return refusal;
  }

  /** An error of the reporter must not undo the containment. */
  #report(error: unknown, tap: Tap): void {
    try {
      this.#services.onContained(error, tap.owner, this.definition.id);
    } catch (reporting) {
      onUnexpectedError(reporting);
    }
    this.#services.budget?.charge(tap, error);
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function';
}
