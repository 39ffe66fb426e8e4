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
 * Texts of `length` characters for which careless patterns take quadratic time or worse: a matching beginning, a long run, an end
 * that does not match.
 *
 * @param samples texts that match the pattern; each is used before and after a long run.
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

/** The scope of the single script below; a context for each text would cost more than parsing the texts. */
const ground: { work: () => void } = { work: () => undefined };
const callWork = new Script('work()');
let context: Context | undefined;

/**
 * Runs `work` and aborts it after `limitMs`, even within a pattern.
 *
 * The limit is far above the time of linear work on a busy machine, and far below that of quadratic work on 200,000 characters.
 *
 * @throws Error if `work` had to be aborted.
 * @internal
 */
export function assertEnds(work: () => void, limitMs = 15_000): void {
  context ??= createContext(ground);
  ground.work = work;
  callWork.runInContext(context, { timeout: limitMs });
}
