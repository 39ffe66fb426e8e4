import type { BudgetSubject, ErrorBudget } from '../errors/error-budget.ts';
import { rowErrorOrigin } from '../errors/error-origin.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { onUnexpectedError } from '../lifecycle/unexpected-error.ts';
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
  /** Told of every error that was kept from the caller, expected ones included. */
  onContained(error: unknown, owner: string, hookId: string): void;
  /** Counts contained errors; without one nothing is ever suspended. */
  readonly budget?: ErrorBudget;
}

type Handler = (input: unknown, context: unknown) => unknown;

interface Tap extends BudgetSubject {
  readonly order: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly handler: Handler;
  state: 'active' | 'suspended' | 'removed';
}

/**
 * One hook: an ordered list of taps and a way to call them. tapable runs behind it and cannot remove a tap, so the list
 * is kept here and a fresh tapable hook is made lazily after a change. Plugins never see a tapable object.
 */
export class HookPoint<S extends HookSpec> {
  readonly definition: HookDefinition<S['kind']>;
  readonly #services: HookServices;
  #taps: readonly Tap[] = [];
  #run: ((input: unknown, context: unknown) => Promise<unknown>) | undefined;

  /** @throws Error for a did hook that is not contained: what happened cannot be refused any more. */
  constructor(definition: HookDefinition<S['kind']>, services: HookServices) {
    if (definition.kind === 'did' && definition.policy !== 'contain') {
      throw new Error(
        `Hook '${definition.id}' tells of what already happened and cannot refuse it; declare the policy 'contain'.`,
      );
    }
    this.definition = definition;
    this.#services = services;
  }

  /** How many taps there are, suspended ones included. */
  get size(): number {
    return this.#taps.length;
  }

  /** The owners of the taps in the order in which they run. */
  owners(): readonly string[] {
    return this.#taps.map((tap) => tap.owner);
  }

  /**
   * Adds a handler for an owner (a plugin's id).
   *
   * @returns the way to remove it; a removed tap is skipped even by a call that is already under way.
   * @throws Error when its `before` or `after` contradicts the taps that are there.
   */
  tap(owner: string, handler: HookHandler<S>, options: TapOptions = {}): Disposable {
    const tap: Tap = {
      owner,
      description: `tap on ${this.definition.id}`,
      order: options.order ?? 0,
      before: options.before,
      after: options.after,
      handler: handler as Handler,
      state: 'active',
      suspend: () => {
        tap.state = 'suspended';
        return {
          dispose: () => {
            if (tap.state === 'suspended') tap.state = 'active';
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
   * nothing once all handlers are done. Rejects only under the policy *propagate*.
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
    if (tap.state !== 'active') return undefined;
    const { handler } = tap;
    try {
      const outcome = await handler(input, context);
      if (outcome === null && this.definition.kind === 'waterfall') {
        throw new TypeError(
          `'${tap.owner}' returned null from hook '${this.definition.id}'; return undefined to keep the value.`,
        );
      }
      return outcome;
    } catch (error) {
      const hookId = this.definition.id;
      rowErrorOrigin(error, { owner: tap.owner, where: `hook ${hookId}` });
      if (this.definition.policy === 'propagate') throw error;
      this.#report(error, tap);
      return undefined;
    }
  }

  /** A reporter that fails must not undo the containment. */
  #report(error: unknown, tap: Tap): void {
    try {
      this.#services.onContained(error, tap.owner, this.definition.id);
    } catch (reporting) {
      onUnexpectedError(reporting);
    }
    this.#services.budget?.charge(tap, error);
  }
}
