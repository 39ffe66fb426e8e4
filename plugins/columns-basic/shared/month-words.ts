/** The languages in which month names are parsed: those of the page. */
const languages = ['en', 'de'];

let known: ReadonlyMap<string, number> | undefined;

/** A word without accents, case and point: `Dez.` and `DEZ` are equal, and so are `März` and `Marz`. */
function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').replace(/\.$/, '').toLowerCase();
}

/** Whole names, and their first three letters, which are unique for the months of a language. */
function monthsByWord(): ReadonlyMap<string, number> {
  const found = new Map<string, number>([['sept', 9]]);
  for (const language of languages) {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1) {
      const name = folded(format.format(Date.UTC(2026, month - 1, 1)));
      found.set(name, month);
      found.set(name.slice(0, 3), month);
    }
  }
  return found;
}

/** The month, from 1, of a word; undefined for any other word. */
export function monthOfWord(word: string): number | undefined {
  known ??= monthsByWord();
  return known.get(folded(word));
}
