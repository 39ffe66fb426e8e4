/** `YYYY-MM-DD HH:mm:ss` in UTC, as the v1 API writes times of the metadata. @param milliseconds since 1970, UTC. @public */
export function wireTime(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Characters of a moment up to its seconds: `2026-03-29T14:30:00`. */
const toSeconds = 19;

/**
 * Milliseconds since 1970 of a moment in UTC as `toISOString` writes it. Undefined for a day or an hour that there is not: some of them would
 * be read as others.
 * @public
 */
export function readUtc(text: string): number | undefined {
  const at = Date.parse(text);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, toSeconds) !== text.slice(0, toSeconds))
    return undefined;
  return at;
}
