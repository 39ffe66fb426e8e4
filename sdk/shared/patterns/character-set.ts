/** Characters as ranges of code points: sorted, separate, both ends included. @public */
export type CharacterSet = readonly (readonly [from: number, to: number])[];

const last = 0x10_ff_ff;

/** One character, by its code point. @public */
export const character = (code: number): CharacterSet => [[code, code]];

/** The union of some sets. */
export function united(sets: readonly CharacterSet[]): CharacterSet {
  const sorted = sets.flat().toSorted(([left], [right]) => left - right);
  const made: [number, number][] = [];
  for (const [from, to] of sorted) {
    const before = made.at(-1);
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else made.push([from, to]);
  }
  return made;
}

/** Every other character. @public */
export function complement(set: CharacterSet): CharacterSet {
  const made: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) made.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= last) made.push([next, last]);
  return made;
}

/** The first character that both contain; undefined if there is none. @public */
export function commonCharacter(left: CharacterSet, right: CharacterSet): number | undefined {
  for (const [from, to] of left)
    for (const [start, end] of right) if (from <= end && start <= to) return Math.max(from, start);
  return undefined;
}
