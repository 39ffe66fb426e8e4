/**
 * The word that was probably meant, or undefined if none is near: at most a third of its letters may differ.
 *
 * @param most the greatest number of letters that may differ, for sentences, where a third makes another one
 */
export function nearestWord(
  wrong: string,
  words: readonly string[],
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  const plain = wrong.toLowerCase();
  const allowed = (word: string) => Math.min(most, Math.max(1, Math.floor(word.length / 3)));
  const [best] = words
    // A difference in length is at least that many edits.
    .filter((word) => Math.abs(word.length - plain.length) <= allowed(word))
    .map((word) => ({ word, distance: distance(plain, word.toLowerCase()) }))
    .filter((found) => found.distance <= allowed(found.word))
    .sort((left, right) => left.distance - right.distance);
  return best?.word;
}

/** The end of a message about a wrong word: "; did you mean 'rows.willCreate'?", or a full stop. */
export function meantInstead(wrong: string, words: readonly string[]): string {
  const meant = nearestWord(wrong, words);
  return meant === undefined ? '.' : `; did you mean '${meant}'?`;
}

/** The edit distance: letters that must be inserted, deleted, changed or swapped with their neighbour. */
function distance(left: string, right: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + Number(left[i - 1] !== right[j - 1]);
      const isSwapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? 0;
}
