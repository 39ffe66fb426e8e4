import { pageLanguage } from '@trellis/sdk/web/ui';

/** A moment in the page's language. */
export function timeText(moment: string): string {
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(new Date(moment));
}

/** A step's input or output as readable text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
