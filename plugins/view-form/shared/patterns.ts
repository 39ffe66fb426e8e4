import {
  automatonOf,
  parsePattern,
  PatternError,
  takesWhole,
  type PatternAutomaton,
} from '@trellis/sdk/shared';

/**
 * Patterns that people write are run on texts that strangers send. All ways through a pattern are gone at once, so that none takes
 * longer than its size and the length of the text say.
 */

/** Characters of a text that a pattern is run on. */
const longestMatched = 300;

/** What is wrong with a pattern: it cannot be read, is too long, or holds a part that is not known here. */
export type FieldPatternProblem =
  { readonly kind: 'broken' | 'long' } | { readonly kind: 'unknown'; readonly part: string };

/** The automaton, or why there is none. */
function read(source: string): PatternAutomaton | FieldPatternProblem {
  try {
    return automatonOf(parsePattern(source).root);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const { problem, part } = error;
    if (problem === 'tooLong') return { kind: 'long' };
    return problem === 'unknown' || problem === 'anchor' ? { kind: 'unknown', part } : { kind: 'broken' };
  }
}

/** Undefined for a pattern that may be used. */
export function checkPattern(source: string): FieldPatternProblem | undefined {
  const made = read(source);
  return 'kind' in made ? made : undefined;
}

/** Whether the whole of a text matches; a text that is longer than patterns are run on does not. */
export function matchesPattern(text: string, source: string): boolean {
  if (text.length > longestMatched) return false;
  const made = read(source);
  // What a form kept from before, and is not read any more, refuses nobody.
  return 'kind' in made || takesWhole(made, text);
}
