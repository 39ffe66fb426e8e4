/** A moment as the input needs it, in the browser's zone. */
export function localTime(iso: string): string {
  if (iso === '') return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The input's moment in UTC; empty for none. */
export function momentIn(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
