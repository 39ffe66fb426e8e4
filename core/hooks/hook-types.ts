import type { WhenSpent } from '../errors/error-budget.ts';

/** *propagate*: an error refuses the operation. *contain*: the error is reported with its owner, and the next handlers run. @public */
export type HookPolicy = 'propagate' | 'contain';

/** Each handler may replace the value; the next one receives the result of the one before. @public */
export interface WaterfallSpec<Value, Context = undefined> {
  kind: 'waterfall';
  value: Value;
  context: Context;
}

/** Handlers run in order until one returns something other than `undefined`. @public */
export interface BailSpec<Input, Result> {
  kind: 'bail';
  input: Input;
  result: Result;
}

/** Handlers run in parallel after the event; their errors are always contained. @public */
export interface DidSpec<Input> {
  kind: 'did';
  input: Input;
}

/** The type of a hook; its kind decides how its handlers are called. @public */
export type HookSpec = WaterfallSpec<unknown, unknown> | BailSpec<unknown, unknown> | DidSpec<unknown>;
export type HookKind = HookSpec['kind'];

/** Hook ids (`area.willVerb`, `area.didVerb`) and their specs. An interface may be used as well. */
export type HookCatalogue = Record<string, HookSpec>;

type Maybe<T> = T | undefined | void;
type MaybePromise<T> = T | Promise<T>;

/** The handler that a plugin taps into a hook of that spec. In a waterfall `undefined` keeps the value and `null` is an error. @public */
export type HookHandler<S extends HookSpec> =
  S extends WaterfallSpec<infer Value, infer Context>
    ? (value: Value, context: Context) => MaybePromise<Maybe<Value>>
    : S extends BailSpec<infer Input, infer Result>
      ? (input: Input) => MaybePromise<Maybe<Result>>
      : S extends DidSpec<infer Input>
        ? (input: Input) => MaybePromise<void>
        : never;

/** The arguments of a call. The context of a waterfall may be left out when it may be `undefined`. */
export type HookArguments<S extends HookSpec> =
  S extends WaterfallSpec<infer Value, infer Context>
    ? undefined extends Context
      ? [value: Value, context?: Context]
      : [value: Value, context: Context]
    : S extends BailSpec<infer Input, unknown>
      ? [input: Input]
      : S extends DidSpec<infer Input>
        ? [input: Input]
        : never;

/** The result of a call. */
export type HookOutcome<S extends HookSpec> =
  S extends WaterfallSpec<infer Value, unknown>
    ? Value
    : S extends BailSpec<unknown, infer Result>
      ? Result | undefined
      : void;

/** The place of a tap among the others. `before` and `after` name owners and win over `order`. @public */
export interface TapOptions {
  /** Lower runs earlier. Default 0; equal numbers run in the order of tapping. */
  order?: number;
  before?: string;
  after?: string;
}

export interface HookDefinition<Kind extends HookKind = HookKind> {
  readonly id: string;
  readonly kind: Kind;
  readonly policy: HookPolicy;
  /**
   * What happens to a handler that failed too often. Under *propagate* a handler is a guard, so operations on which it fails are
   * still refused: nobody may bypass it by making it fail. *suspended* is for operations that must stay possible, such as
   * switching off the failing plugin.
   */
  readonly whenSpent?: WhenSpent;
  /** When it is called, what handlers may change, and what happens next. Part of the generated documentation. */
  readonly description: string;
  /**
   * What is wrong with the value that a handler of a waterfall returned, as the end of a sentence: "returned 1 of 2 rows; ...".
   * Undefined when it is valid.
   */
  readonly check?: (given: never, returned: unknown) => string | undefined;
}
