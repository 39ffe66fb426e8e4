/** The most commas in one title. */
const mostCommas = 5;

/** A text that may be a title, with its position in its line. */
interface Piece {
  readonly from: number;
  /** The index after its last part. */
  readonly to: number;
  readonly title: string;
}

/** The texts of a line between its commas. */
function partsOf(line: string): readonly string[] {
  return line.split(',').filter((part) => part.trim() !== '');
}

/** The parts of a line, and longer pieces around a part that is no title by itself. */
function piecesOf(line: string, isKnown: (title: string) => boolean): readonly Piece[] {
  const parts = partsOf(line);
  const unknown = parts.map((part) => !isKnown(part.trim()));
  return parts.flatMap((_, from) =>
    parts.slice(from, from + mostCommas + 1).flatMap((_part, length) => {
      const to = from + length + 1;
      const isPiece = length === 0 || unknown.slice(from, to).includes(true);
      return isPiece ? [{ from, to, title: parts.slice(from, to).join(',').trim() }] : [];
    }),
  );
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
}

/** What most cells name, which is looked up first: the titles between commas and lines, or the whole text as one title. */
export function likelyTitles(text: string): readonly string[] {
  const whole = text.trim();
  const parts = linesOf(text).flatMap((line) => partsOf(line).map((part) => part.trim()));
  return whole === '' ? [] : [...new Set([whole, ...parts])];
}

/** Longer texts that may be titles too, since a title may contain commas: those around a part that is no title. */
export function longerTitles(text: string, isKnown: (title: string) => boolean): readonly string[] {
  if (isKnown(text.trim())) return [];
  const pieces = linesOf(text).flatMap((line) => piecesOf(line, isKnown));
  return [...new Set(pieces.filter(({ from, to }) => to - from > 1).map(({ title }) => title))];
}

/** The number of texts between the commas and lines of a cell, each of which may be a title. */
export function countOfParts(text: string): number {
  return linesOf(text).reduce((sum, line) => sum + partsOf(line).length, 0);
}

/** The titles that a cell names, each once, in the order of the text, split so that the fewest are unknown. */
export function titlesOfText(text: string, isKnown: (title: string) => boolean): readonly string[] {
  const whole = text.trim();
  if (whole === '') return [];
  if (isKnown(whole)) return [whole];
  return [...new Set(linesOf(text).flatMap((line) => titlesOfLine(line, isKnown)))];
}

/** A text that is no title costs more than any number of titles. */
const unknownCost = 1_000_000;

function titlesOfLine(line: string, isKnown: (title: string) => boolean): readonly string[] {
  const count = partsOf(line).length;
  // The cheapest split of the line up to each part, from its start.
  const best: ({ readonly cost: number; readonly last?: Piece } | undefined)[] = [{ cost: 0 }];
  for (const piece of piecesOf(line, isKnown).toSorted((one, other) => one.from - other.from)) {
    const known = isKnown(piece.title);
    // Unknown text is reported part by part.
    if (!known && piece.to - piece.from > 1) continue;
    const cost = (best[piece.from]?.cost ?? 0) + (known ? 1 : unknownCost);
    const before = best[piece.to];
    if (before === undefined || cost < before.cost) best[piece.to] = { cost, last: piece };
  }
  const titles: string[] = [];
  for (let at = count; at > 0;) {
    const last = best[at]?.last;
    if (last === undefined) break;
    titles.unshift(last.title);
    at = last.from;
  }
  return titles;
}
