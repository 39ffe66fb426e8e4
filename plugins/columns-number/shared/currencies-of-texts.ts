const names = '[$€£¥₹₩₽]|CHF|EUR|USD|GBP';
const amount = new RegExp(String.raw`^-?(?<before>${names})\s?-?\d|^-?\d[\d.,' ]*\s?(?<after>${names})$`);
/** No amount that is looked at is longer. */
const longestText = 60;

/** What stands beside the numbers of these texts, signs or codes, each once; undefined where one of them is no amount of money. */
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

/** The currency that most people mean by a sign. */
const codes: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
};
