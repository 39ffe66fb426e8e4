/** `YYYY-MM-DD HH:mm:ss` in UTC, as the v1 API writes times of the metadata. @param milliseconds since 1970, UTC. @public */
export function wireTime(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString().slice(0, 19).replace('T', ' ');
}

/** A day, with an optional time and zone. */
const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;
/** The number of characters of a moment up to its seconds: `2026-03-29T14:30:00`. */
const toSeconds = 19;

/**
 * Milliseconds since 1970 of an ISO 8601 moment, with a `T` or a blank before the hour: `2026-03-29T14:30:00.500Z`. Without a
 * zone it is in UTC, and a day means its beginning. Undefined for any other text, and for a day or an hour that does not exist.
 * @public
 */
export function readUtc(text: string): number | undefined {
  const [, day, hour = '00:00', zone = 'Z'] = moment.exec(text) ?? [];
  if (day === undefined) return undefined;
  const there = `${day}T${hour}`;
  const [inUtc, at] = [Date.parse(`${there}Z`), Date.parse(there + zone)];
  if (Number.isNaN(inUtc) || Number.isNaN(at)) return undefined;
  // Some days that do not exist would be read as other days.
  const isThere = new Date(inUtc).toISOString().startsWith(there.slice(0, toSeconds));
  return isThere ? at : undefined;
}
