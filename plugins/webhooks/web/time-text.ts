import { pageLanguage } from '@trellis/sdk/web/ui';

/** A moment as people write it. */
export function timeText(moment: string): string {
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(new Date(moment));
}
