const millisecondsOfDay = 86_400_000;
/**
 * Days are counted from here; before March 1900 the count is one off, since sheets have a 29 February 1900, which did not exist.
 */
const origin = Date.UTC(1899, 11, 30);
const firstDay = 61;
const lastDay = 2_958_465;

const date = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/;
const time = /^(\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?$/;

/** The serial number of a day; undefined for any other text, and for days outside the range of sheets. */
export function dayOf(text: string): number | undefined {
  return date.test(text) ? serialOf(Date.parse(`${text}T00:00:00Z`)) : undefined;
}

/** The serial number of a moment, in UTC as stored; undefined as for a day. */
export function momentOf(text: string): number | undefined {
  const found = moment.exec(text);
  if (found === null) return undefined;
  const [, day = '', clock = '', zone = 'Z'] = found;
  const ofZone = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return serialOf(Date.parse(`${day}T${clock.length === 5 ? `${clock}:00` : clock}${ofZone}`));
}

/** A time of day as the fraction of a day. */
export function timeOf(text: string): number | undefined {
  const found = time.exec(text);
  if (found === null) return undefined;
  const [, hours, minutes, seconds = '0'] = found;
  const part = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  return part < 1 ? part : undefined;
}

function serialOf(milliseconds: number): number | undefined {
  const days = (milliseconds - origin) / millisecondsOfDay;
  return days >= firstDay && days < lastDay + 1 ? days : undefined;
}
