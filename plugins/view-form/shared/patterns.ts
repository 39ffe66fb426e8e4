import {
  automatonOf,
  parsePattern,
  PatternError,
  takesWhole,
  type PatternAutomaton,
} from '@trellis/sdk/shared';

/**
 * Patterns that people write run on texts that visitors send. All paths through a pattern are followed at once, so that its time is
 * limited by its size and the length of the text.
 */

/** The most characters of a text that a pattern runs on. */
const longestMatched = 300;

/** The problem of a pattern: it cannot be parsed, is too long, or contains unsupported syntax. */
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

/** Undefined for a valid pattern. */
export function checkPattern(source: string): FieldPatternProblem | undefined {
  const made = read(source);
  return 'kind' in made ? made : undefined;
}

/** Whether the whole of a text matches; a text that is too long for patterns does not. */
export function matchesPattern(text: string, source: string): boolean {
  if (text.length > longestMatched) return false;
  const made = read(source);
  // A stored pattern that can no longer be parsed accepts everything.
  return 'kind' in made || takesWhole(made, text);
}
