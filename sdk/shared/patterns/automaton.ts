import type { CharacterSet } from './character-set.ts';
import { PatternError, type PatternNode } from './parse-pattern.ts';

/** A place in a pattern that matches one character. */
type Place = number;

/**
 * The Glushkov automaton of a pattern: it has a state for each place that matches a character, and no empty steps.
 * @public
 */
export interface PatternAutomaton {
  /** The characters that each place matches. */
  readonly sets: readonly CharacterSet[];
  /** The places that can match the first character. */
  readonly first: readonly Place[];
  /** The places that can match the next character, by place. */
  readonly following: readonly ReadonlySet<Place>[];
  /** The places after which the pattern can end. */
  readonly last: ReadonlySet<Place>;
  /** Whether the pattern also matches the empty text. */
  readonly canBeEmpty: boolean;
}

/** Called for ambiguities of a pattern; may throw. @public */
export interface AutomatonWatch {
  /** One place can follow another in two ways, as in `(a+)+`. */
  onTwoWays?(set: CharacterSet): void;
  /** A part that can be empty is repeated, or is an alternative; `part` is `|` for the latter. */
  onNothing?(part: string): void;
}

/** How a part of a pattern can begin and end, and whether it can be empty. */
interface Ends {
  readonly first: readonly Place[];
  readonly last: readonly Place[];
  readonly canBeEmpty: boolean;
}

const mostPlaces = 500;
const mostSteps = 20_000;
const nothing: Ends = { first: [], last: [], canBeEmpty: true };

/**
 * Makes the automaton of a pattern. Its size is limited, whatever repetitions the pattern contains.
 *
 * @throws PatternError `tooLong`
 * @public
 */
export function automatonOf(root: PatternNode, watch: AutomatonWatch = {}): PatternAutomaton {
  const sets: CharacterSet[] = [];
  const following: Set<Place>[] = [];
  let steps = 0;

  function add(set: CharacterSet): Ends {
    if (sets.length >= mostPlaces) throw new PatternError('tooLong', String(mostPlaces));
    sets.push(set);
    following.push(new Set());
    return { first: [sets.length - 1], last: [sets.length - 1], canBeEmpty: false };
  }

  function follow(before: Ends, after: Ends): void {
    for (const place of before.last)
      for (const next of after.first) {
        if (following[place]?.has(next)) watch.onTwoWays?.(sets[next] ?? []);
        following[place]?.add(next);
        if (++steps > mostSteps) throw new PatternError('tooLong', String(mostPlaces));
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

  /** Up to `count` further repetitions, each only after the one before. */
  function optional(item: PatternNode, count: number): Ends {
    if (count === 0) return nothing;
    const one = once(item);
    return { ...behind(one, optional(item, count - 1)), canBeEmpty: true };
  }

  /** A part that can be empty could be repeated forever. */
  function once(item: PatternNode): Ends {
    const one = ends(item);
    if (one.canBeEmpty) watch.onNothing?.('');
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
        const canBeEmpty = items.some((item) => item.canBeEmpty);
        if (canBeEmpty) watch.onNothing?.('|');
        return {
          first: items.flatMap(({ first }) => first),
          last: items.flatMap(({ last }) => last),
          canBeEmpty,
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

  const { first, last, canBeEmpty } = ends(root);
  return { sets, first, following, last: new Set(last), canBeEmpty };
}

/**
 * Whether the automaton matches a whole text. All paths are followed at once, so the time depends only on the length of the text
 * and the size of the pattern, and not on the number of paths.
 * @public
 */
export function takesWhole(
  { sets, first, following, last, canBeEmpty }: PatternAutomaton,
  text: string,
): boolean {
  if (text === '') return canBeEmpty;
  let open: Iterable<Place> = first;
  let taken = new Set<Place>();
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    taken = new Set();
    for (const place of open)
      if (sets[place]?.some(([from, to]) => from <= code && code <= to)) taken.add(place);
    if (taken.size === 0) return false;
    const next = new Set<Place>();
    for (const place of taken) for (const after of following[place] ?? []) next.add(after);
    open = next;
  }
  for (const place of taken) if (last.has(place)) return true;
  return false;
}
