const hidden = '•••';

/** Puts ••• in place of secrets in texts and in what is made of texts, however addresses and JSON write them. */
export function createMask(secrets: readonly string[]): <T>(shown: T) => T {
  // The longest first, since one may be a part of another.
  const written = [...new Set(secrets.filter((secret) => secret !== '').flatMap(writingsOf))].toSorted(
    (one, other) => other.length - one.length,
  );
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string')
      return written.reduce((text, secret) => text.replaceAll(secret, hidden), value);
    if (Array.isArray(value)) return value.map(masked);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
  };
  return <T>(shown: T) => (written.length === 0 ? shown : (masked(shown) as T));
}

/** A text as it stands in messages, by itself and as `{{json ...}}` writes it. */
function writingsOf(secret: string): readonly string[] {
  return [secret, jsonOf(secret)].flatMap(placesOf);
}

/** Without its quotes: it may be a part of a longer text. */
const jsonOf = (text: string) => JSON.stringify(text).slice(1, -1);

/** A text by itself, in JSON, in the path of an address, among its parameters, and in a header. */
function placesOf(text: string): readonly string[] {
  const part = encodeURIComponent(text);
  return [
    text,
    jsonOf(text),
    part,
    // As addresses write quotes of a part once they are read.
    part.replaceAll("'", '%27'),
    new URLSearchParams([['', text]]).toString().slice(1),
    text.replace(/[^\x20-\x7e\x80-\xff]/g, ' '),
  ];
}
