import type { Translate } from '@trellis/sdk/web';

/** Gives PrimeReact's controls a language's texts; loads PrimeReact's code if necessary. */
export async function localisePrimeReact(language: string, t: Translate): Promise<void> {
  const { addLocale, locale } = await import('primereact/api');
  addLocale(language, {
    ...calendarNames(language),
    accept: t('Yes'),
    reject: t('No'),
    cancel: t('Cancel'),
    clear: t('Clear'),
    choose: t('Choose'),
    upload: t('Upload'),
    today: t('Today'),
    emptyMessage: t('Nothing found'),
    emptyFilterMessage: t('Nothing found'),
    aria: { close: t('Close'), previous: t('Previous'), next: t('Next'), selectAll: t('Select all') },
  });
  locale(language);
}

/** Names of days and months from the browser. */
function calendarNames(language: string) {
  // 1 January 2023 was a Sunday, and PrimeReact's weeks begin with Sunday.
  const names = (count: number, dateOf: (index: number) => Date, format: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' });
    return Array.from({ length: count }, (_, index) => formatter.format(dateOf(index)));
  };
  const day = (index: number) => new Date(Date.UTC(2023, 0, 1 + index));
  const month = (index: number) => new Date(Date.UTC(2023, index, 1));
  return {
    dayNames: names(7, day, { weekday: 'long' }),
    dayNamesShort: names(7, day, { weekday: 'short' }),
    dayNamesMin: names(7, day, { weekday: 'narrow' }),
    monthNames: names(12, month, { month: 'long' }),
    monthNamesShort: names(12, month, { month: 'short' }),
  };
}
