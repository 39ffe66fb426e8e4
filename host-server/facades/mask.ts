const hidden = '•••';

/** Replaces secrets by ••• in texts and in values made of texts, also in their encodings in addresses and JSON. */
export function createMask(secrets: readonly string[]): <T>(shown: T) => T {
  // The longest first, since one may be part of another.
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

/** The forms of a text in messages: plain, and as written by `{{json ...}}`. */
function writingsOf(secret: string): readonly string[] {
  return [secret, jsonOf(secret)].flatMap(placesOf);
}

/** Without its quotes, since it may be part of a longer text. */
const jsonOf = (text: string) => JSON.stringify(text).slice(1, -1);

/** The forms of a text: plain, in JSON, in an address's path, in its parameters, and in a header. */
function placesOf(text: string): readonly string[] {
  const part = encodeURIComponent(text);
  return [
    text,
    jsonOf(text),
    part,
    // Parsed addresses encode quotes like this.
    part.replaceAll("'", '%27'),
    new URLSearchParams([['', text]]).toString().slice(1),
    text.replace(/[^\x20-\x7e\x80-\xff]/g, ' '),
  ];
}
