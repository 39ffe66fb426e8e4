/**
 * Capitals and small letters as databases know them: letter by letter, each of which becomes one letter (Unicode's simple case mapping,
 * https://www.unicode.org/reports/tr44/#Simple_Case_Mapping). JavaScript's own functions make two letters of some, `SS` of `ß`, and a
 * Greek sigma that depends on what stands behind it.
 */

/** Greek letters with an iota below, which JavaScript writes as two capitals, by the one capital that they have. */
const greekCapitals = new Map(
  Array.from({ length: 0x80 }, (_, index) => String.fromCodePoint(0x1f80 + index)).flatMap((capital) => {
    const small = capital.toLowerCase();
    return small === capital ? [] : [[small, capital] as const];
  }),
);

/** The letters whose capital JavaScript writes as several. */
const severalCapitals =
  /[\u00df\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50-\u1f56\u1f80-\u1fff\ufb00-\ufb17]/;
/** A dotted capital I, and the sigma whose small form depends on its place. */
const strangeSmall = /[\u0130\u03a3]/;

/** A text in capitals, each letter by itself: `ß` stays. @public */
export function upperCase(text: string): string {
  return severalCapitals.test(text) ? Array.from(text, capitalOf).join('') : text.toUpperCase();
}

/** A text in small letters, each letter by itself. @public */
export function lowerCase(text: string): string {
  return strangeSmall.test(text) ? Array.from(text, smallOf).join('') : text.toLowerCase();
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase();
  return Array.from(capital).length === 1 ? capital : (greekCapitals.get(letter) ?? letter);
}

/** The first of what a dotted capital I becomes: an `i` and a dot to be put above it. */
function smallOf(letter: string): string {
  const [first = letter] = Array.from(letter.toLowerCase());
  return first;
}
