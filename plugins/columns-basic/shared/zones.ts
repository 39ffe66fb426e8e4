/** Moments and local times of zones. Local times are milliseconds too, as if they were UTC. */

const hour = 3_600_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  // Zone names are case-insensitive, and many spellings of one would stay in memory.
  const key = zone.toLowerCase();
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(key, made);
  return made;
}

/** Whether this is a zone that the machine knows: `UTC`, `Europe/Berlin`. */
export function isZone(zone: string): boolean {
  if (zone.length > 60) return false;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The zone's offset from UTC at a moment, in milliseconds. */
export function zoneOffset(moment: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const parts = formatterOf(zone).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT`, `GMT+02:00`, and historically `GMT+00:53:28`.
  const match = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = 0] = match;
  const size = Number(hours) * hour + Number(minutes) * 60_000 + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

/** The moment of a local time. If the time occurs twice, the first one; a skipped time lies as long after the change as it says. */
export function momentAt(clock: number, zone: string): number {
  const [before, after] = [zoneOffset(clock - 24 * hour, zone), zoneOffset(clock + 24 * hour, zone)];
  const fitting = [before, after].find((offset) => zoneOffset(clock - offset, zone) === offset);
  return clock - (fitting ?? before);
}

/** `+02:00`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  const two = (part: number) => String(part).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
