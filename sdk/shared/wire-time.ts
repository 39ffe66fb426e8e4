/** `YYYY-MM-DD HH:mm:ss` in UTC, as the v1 API writes times of the metadata. @param milliseconds since 1970, UTC. @public */
export function wireTime(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString().slice(0, 19).replace('T', ' ');
}

/** A day, and what is said of the hour and of the zone. */
const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;
/** Characters of a moment up to its seconds: `2026-03-29T14:30:00`. */
const toSeconds = 19;

/**
 * Milliseconds since 1970 of a moment as ISO 8601 writes it, with a `T` or a blank before the hour: `2026-03-29T14:30:00.500Z`. One that
 * names no zone is in UTC, and a day is its beginning. Undefined for any other text, and for a day or an hour that there is not.
 * @public
 */
export function readUtc(text: string): number | undefined {
  const [, day, hour = '00:00', zone = 'Z'] = moment.exec(text) ?? [];
  if (day === undefined) return undefined;
  const there = `${day}T${hour}`;
  const [inUtc, at] = [Date.parse(`${there}Z`), Date.parse(there + zone)];
  if (Number.isNaN(inUtc) || Number.isNaN(at)) return undefined;
  // Some days that there are not would be read as others.
  const isThere = new Date(inUtc).toISOString().startsWith(there.slice(0, toSeconds));
  return isThere ? at : undefined;
}
