/**
 * Upper and lower case as in databases: letter by letter, each of which becomes one letter (Unicode's simple case mapping,
 * https://www.unicode.org/reports/tr44/#Simple_Case_Mapping). JavaScript's own functions convert some letters to two, such as `ß`
 * to `SS`, and a Greek sigma depending on its position.
 */

/** Greek letters with an iota below, which JavaScript converts to two capitals, with their single capital. */
const greekCapitals = new Map(
  Array.from({ length: 0x80 }, (_, index) => String.fromCodePoint(0x1f80 + index)).flatMap((capital) => {
    const small = capital.toLowerCase();
    return small === capital ? [] : [[small, capital] as const];
  }),
);

/** The letters that JavaScript converts to several capitals. */
const severalCapitals =
  /[\u00df\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50-\u1f56\u1f80-\u1fff\ufb00-\ufb17]/;
/** The dotted capital I, and the sigma whose lower case depends on its position. */
const strangeSmall = /[\u0130\u03a3]/;

/** A text in upper case, letter by letter: `ß` stays. @public */
export function upperCase(text: string): string {
  return severalCapitals.test(text) ? Array.from(text, capitalOf).join('') : text.toUpperCase();
}

/** A text in lower case, letter by letter. @public */
export function lowerCase(text: string): string {
  return strangeSmall.test(text) ? Array.from(text, smallOf).join('') : text.toLowerCase();
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase();
  return Array.from(capital).length === 1 ? capital : (greekCapitals.get(letter) ?? letter);
}

/** The first of the two characters into which a dotted capital I is converted: an `i`, without the combining dot. */
function smallOf(letter: string): string {
  const [first = letter] = Array.from(letter.toLowerCase());
  return first;
}
