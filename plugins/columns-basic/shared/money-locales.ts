/** One of each way of writing amounts, for the page to offer; a column may keep any other that a client sets. */
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

/** How amounts of money are written: as the page writes numbers, or as one place does. */
export interface MoneyFormat {
  /** As in `de-DE`: in exports and over the API always, in the page where `currency_format` says so. */
  readonly currency_locale: string;
  /** Absent in columns that are older than the choice: there a locale that is not the default was chosen. */
  readonly currency_format?: 'page' | 'locale';
}

/** What columns have of which nobody said anything. */
export const defaultMoneyLocale = 'en-US';

/** Whether amounts are written as the page writes them, since nobody chose another way. */
export function isWrittenAsPage({ currency_format: format, currency_locale: locale }: MoneyFormat): boolean {
  return format === undefined ? locale === defaultMoneyLocale : format === 'page';
}
