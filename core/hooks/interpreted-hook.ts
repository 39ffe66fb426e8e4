import { AsyncParallelHook, AsyncSeriesBailHook, AsyncSeriesWaterfallHook } from 'tapable';
import type { HookKind } from './hook-types.ts';

type Step = (input: unknown, context: unknown) => Promise<unknown>;
type Runner = (input: unknown, context: unknown) => Promise<unknown>;

/** The part of tapable used here that its type declarations omit. */
interface Compilable {
  compile(options: { readonly taps: readonly { readonly fn: Step }[] }): Runner;
}

const makeHook = {
  waterfall: () => new AsyncSeriesWaterfallHook<[unknown, unknown], unknown>(['value', 'context']),
  bail: () => new AsyncSeriesBailHook<[unknown, unknown], unknown>(['input', 'context']),
  did: () => new AsyncParallelHook<[unknown, unknown]>(['input', 'context']),
} as const;

const interpreters: Record<HookKind, (steps: readonly Step[]) => Runner> = {
  waterfall: (steps) => async (input, context) => {
    let value = input;
    for (const step of steps) {
      const replaced = await step(value, context);
      if (replaced !== undefined) value = replaced;
    }
    return value;
  },
  bail: (steps) => async (input, context) => {
    for (const step of steps) {
      const result = await step(input, context);
      if (result !== undefined) return result;
    }
    return undefined;
  },
  did: (steps) => async (input, context) => {
    await Promise.all(steps.map((step) => step(input, context)));
  },
};

/**
 * A tapable hook whose `compile` interprets the taps. tapable's own `compile` generates JavaScript and runs it through `new
 * Function`, which a strict content-security policy forbids in the browser. This one is used on both halves.
 */
export function createInterpretedHook(
  kind: HookKind,
  steps: readonly { readonly name: string; readonly run: Step }[],
): Runner {
  const hook = makeHook[kind]();
  const interpret = interpreters[kind];
  (hook as unknown as Compilable).compile = ({ taps }) => interpret(taps.map((tap) => tap.fn));
  for (const step of steps) {
    hook.tapPromise(step.name, step.run as (input: unknown, context: unknown) => Promise<never>);
  }
  return (input, context) => hook.promise(input, context);
}
