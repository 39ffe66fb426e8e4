import { createContext, Script } from 'node:vm';

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

/**
 * Runs `work` and ends it after `limitMs`, in the middle of a pattern too.
 *
 * The limit is far above what linear work takes on a busy machine, and far below what quadratic work takes on 200,000 characters.
 *
 * @throws Error when `work` did not end by itself.
 * @internal
 */
export function assertEnds(work: () => void, limitMs = 15_000): void {
  const context = createContext({ work });
  new Script('work()').runInContext(context, { timeout: limitMs });
}
