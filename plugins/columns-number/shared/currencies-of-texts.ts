const names = '[$€£¥₹₩₽]|CHF|EUR|USD|GBP';
const amount = new RegExp(String.raw`^-?(?<before>${names})\s?-?\d|^-?\d[\d.,' ]*\s?(?<after>${names})$`);
/** Longer texts are no amounts. */
const longestText = 60;

/** The signs or codes beside the numbers of these texts, each once; undefined if one of them is no amount of money. */
export function currenciesOf(texts: readonly string[]): readonly string[] | undefined {
  const found = new Set<string>();
  for (const text of texts) {
    const groups = text.length < longestText ? amount.exec(text.trim())?.groups : undefined;
    const name = groups?.['before'] ?? groups?.['after'];
    if (name === undefined) return undefined;
    found.add(codes[name] ?? name);
  }
  return [...found];
}

/** The most usual currency of a sign. */
const codes: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
};
