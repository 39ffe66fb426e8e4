/** One locale for each way of writing amounts, for the page to offer; clients may set any other. */
export const moneyLocales: readonly string[] = [
  'en-US',
  'en-GB',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pt-BR',
  'sv-SE',
  'pl-PL',
  'ja-JP',
  'ar-EG',
];

/** How amounts of money are written: like the page's numbers, or by a locale. */
export interface MoneyFormat {
  /** Such as `de-DE`: always used in exports and the API, in the page if `currency_format` says so. */
  readonly currency_locale: string;
  /** Absent in columns older than this option: in those, a locale other than the default counts as chosen. */
  readonly currency_format?: 'page' | 'locale';
}

/** The locale of columns where none was chosen. */
export const defaultMoneyLocale = 'en-US';

/** Whether amounts are written like the page's numbers, since nobody chose another way. */
export function isWrittenAsPage({ currency_format: format, currency_locale: locale }: MoneyFormat): boolean {
  return format === undefined ? locale === defaultMoneyLocale : format === 'page';
}
