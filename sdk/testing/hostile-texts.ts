import { type Context, createContext, Script } from 'node:vm';

const fillers = [
  ' ',
  '\t',
  '1',
  '0',
  'a',
  '.',
  ',',
  '-',
  '+',
  '/',
  ':',
  '_',
  "'",
  '"',
  '\\',
  '(',
  '[{',
  '1.',
  '1,',
  '1 ',
  'T1:',
  '★',
];

/**
 * Texts of `length` characters on which careless patterns take quadratic time or worse: a beginning that fits, a long run, an end
 * that does not fit.
 *
 * @param samples texts that a pattern is meant for; each of them stands before and after a long run.
 */
export function* hostileTexts(samples: readonly string[], length = 200_000): Generator<string> {
  for (const filler of fillers) {
    const run = filler.repeat(Math.ceil(length / filler.length));
    for (const sample of ['', '1', ...samples]) {
      yield `${sample}${run}!`;
      yield `${run}${sample}`;
    }
  }
}

/** What the one script below runs; a context for each text would cost more than reading the texts does. */
const ground: { work: () => void } = { work: () => undefined };
const callWork = new Script('work()');
let context: Context | undefined;

/**
 * Runs `work` and ends it after `limitMs`, in the middle of a pattern too.
 *
 * The limit is far above what linear work takes on a busy machine, and far below what quadratic work takes on 200,000 characters.
 *
 * @throws Error when `work` did not end by itself.
 * @internal
 */
export function assertEnds(work: () => void, limitMs = 15_000): void {
  context ??= createContext(ground);
  ground.work = work;
  callWork.runInContext(context, { timeout: limitMs });
}
