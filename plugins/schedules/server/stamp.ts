/** `2026-03-29 0800`, in the zone's time: for names of files. */
export function stamp(moment: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(moment).replace(':', '');
}
