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
 * Refuses a pattern that databases could match in different ways: if two parts of it accept the same character, one database takes
 * the first way and another one the longest. If no character has two ways, there is only one match, found without backtracking: the
 * automaton of the pattern must be deterministic.
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
