import { character, shared, type CharacterSet } from './character-set.ts';
import { PatternError, type PatternNode } from './parse-pattern.ts';

/** A place of the pattern where a character is taken. */
type Place = number;

/** How a part of a pattern can begin and end, and whether it can take nothing. */
interface Ends {
  readonly first: readonly Place[];
  readonly last: readonly Place[];
  readonly canBeEmpty: boolean;
}

const mostPlaces = 500;
const nothing: Ends = { first: [], last: [], canBeEmpty: true };

const ambiguity = (both: CharacterSet): PatternError =>
  new PatternError('ambiguous', String.fromCodePoint(both[0]?.[0] ?? 0));

/**
 * Refuses a pattern that databases could understand in different ways: where a character could be taken by two parts of it, one
 * database takes the first way and another one the longest. Where no character can, there is one way alone, found without walking
 * back. (The automaton of Glushkov, which has a state for each place, is to be deterministic.)
 */
export function checkPattern(root: PatternNode): void {
  const sets: CharacterSet[] = [];
  const following: Set<Place>[] = [];

  function add(set: CharacterSet): Ends {
    if (sets.length >= mostPlaces) throw new PatternError('tooLong', String(mostPlaces));
    sets.push(set);
    following.push(new Set());
    return { first: [sets.length - 1], last: [sets.length - 1], canBeEmpty: false };
  }

  function follow(before: Ends, after: Ends): void {
    for (const place of before.last)
      for (const next of after.first) {
        // Two ways lead there, as from `(a+)+`.
        if (following[place]?.has(next)) throw ambiguity(sets[next] ?? []);
        following[place]?.add(next);
      }
  }

  function behind(before: Ends, after: Ends): Ends {
    follow(before, after);
    return {
      first: before.canBeEmpty ? [...before.first, ...after.first] : before.first,
      last: after.canBeEmpty ? [...before.last, ...after.last] : after.last,
      canBeEmpty: before.canBeEmpty && after.canBeEmpty,
    };
  }

  /** So many more at the most, each of them only behind the one before. */
  function optional(item: PatternNode, count: number): Ends {
    if (count === 0) return nothing;
    const one = once(item);
    return { ...behind(one, optional(item, count - 1)), canBeEmpty: true };
  }

  /** What takes nothing could be taken for ever. */
  function once(item: PatternNode): Ends {
    const one = ends(item);
    if (one.canBeEmpty) throw new PatternError('empty', '');
    return one;
  }

  function again(item: PatternNode): Ends {
    const one = once(item);
    follow(one, one);
    return { ...one, canBeEmpty: true };
  }

  function ends(node: PatternNode): Ends {
    switch (node.kind) {
      case 'set':
        return add(node.set);
      case 'sequence':
        return node.items.map(ends).reduce(behind, nothing);
      case 'choice': {
        const items = node.items.map(ends);
        if (items.some(({ canBeEmpty }) => canBeEmpty)) throw new PatternError('empty', '|');
        return {
          first: items.flatMap(({ first }) => first),
          last: items.flatMap(({ last }) => last),
          canBeEmpty: false,
        };
      }
      case 'repeat': {
        const { item, least, most } = node;
        let whole = nothing;
        for (let count = 0; count < least; count += 1) whole = behind(whole, once(item));
        return behind(whole, most === undefined ? again(item) : optional(item, most - least));
      }
    }
  }

  function differ(places: Iterable<Place>): void {
    const all = [...places];
    for (const [index, place] of all.entries())
      for (const other of all.slice(index + 1)) {
        const both = shared(sets[place] ?? [], sets[other] ?? []);
        if (both !== undefined) throw ambiguity(character(both));
      }
  }

  const { first, canBeEmpty } = ends(root);
  if (canBeEmpty) throw new PatternError('empty', '');
  differ(first);
  for (const places of following) differ(places);
}
