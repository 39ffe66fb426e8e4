/** Moments and what clocks show in a zone. Times of a clock are given as milliseconds too, as if the clock showed UTC. */

const hour = 3_600_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  // Zones are known by their names in any case, and many spellings of one would stay in memory.
  const key = zone.toLowerCase();
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(key, made);
  return made;
}

/** Whether this names a zone that the machine knows: `UTC`, `Europe/Berlin`. */
export function isZone(zone: string): boolean {
  if (zone.length > 60) return false;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds by which clocks of the zone are ahead of UTC at a moment. */
export function zoneOffset(moment: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const parts = formatterOf(zone).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT`, `GMT+02:00`, and before there were zones `GMT+00:53:28`.
  const match = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = 0] = match;
  const size = Number(hours) * hour + Number(minutes) * 60_000 + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * The moment at which clocks of a zone show a time. When they show it twice the first one is meant; a time that they pass over
 * is as long after the change as it says.
 */
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
