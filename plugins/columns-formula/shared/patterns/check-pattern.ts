import {
  automatonOf,
  character,
  commonCharacter,
  PatternError,
  type CharacterSet,
  type PatternNode,
} from '@trellis/sdk/shared';

const ambiguity = (both: CharacterSet): PatternError =>
  new PatternError('ambiguous', String.fromCodePoint(both[0]?.[0] ?? 0));

/**
 * Refuses a pattern that databases could understand in different ways: where a character could be taken by two parts of it, one
 * database takes the first way and another one the longest. Where no character can, there is one way alone, found without walking
 * back: the automaton of the pattern is to be deterministic.
 *
 * @throws PatternError
 */
export function checkPattern(root: PatternNode): void {
  const { sets, first, following, canBeEmpty } = automatonOf(root, {
    onTwoWays(set) {
      throw ambiguity(set);
    },
    onNothing(part) {
      throw new PatternError('empty', part);
    },
  });
  if (canBeEmpty) throw new PatternError('empty', '');
  for (const places of [first, ...following]) {
    const all = [...places];
    for (const [index, place] of all.entries())
      for (const other of all.slice(index + 1)) {
        const both = commonCharacter(sets[place] ?? [], sets[other] ?? []);
        if (both !== undefined) throw ambiguity(character(both));
      }
  }
}
