import { pageLocale } from '@trellis/sdk/web/ui';
import { isWrittenAsPage } from '#plugins/columns-basic/shared';
import { currenciesOf, type CurrencyOptions } from '../shared/index.ts';

/** The currency of each region; the euro's regions are below. */
const currencies: Readonly<Record<string, string>> = {
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CN: 'CNY',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  EG: 'EGP',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  ID: 'IDR',
  IL: 'ILS',
  IN: 'INR',
  JP: 'JPY',
  KR: 'KRW',
  LI: 'CHF',
  MX: 'MXN',
  MY: 'MYR',
  NO: 'NOK',
  NZ: 'NZD',
  PH: 'PHP',
  PL: 'PLN',
  RO: 'RON',
  RU: 'RUB',
  SA: 'SAR',
  SE: 'SEK',
  SG: 'SGD',
  TH: 'THB',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  VN: 'VND',
  ZA: 'ZAR',
};
const euroRegions = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

/** The currency of these texts, or else the one of the page's region, in the page's format. */
export function moneyOfPage(texts: readonly string[] = []): Partial<CurrencyOptions> {
  const locale = pageLocale();
  const { region = '' } = locale;
  const own = euroRegions.includes(region) ? 'EUR' : currencies[region];
  const [named] = currenciesOf(texts.filter((text) => text.trim() !== '')) ?? [];
  // In Canada, a dollar sign means Canadian dollars.
  const code = named === undefined || named === signedAs(own, locale.baseName) ? own : named;
  return {
    currency_locale: locale.baseName,
    currency_format: 'page',
    ...(code !== undefined && { currency_code: code }),
  };
}

/** The currency that this one's sign means if the country is unknown. */
function signedAs(code: string | undefined, locale: string): string | undefined {
  if (code === undefined) return undefined;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code });
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '';
  return currenciesOf([`${sign}1`])?.[0];
}

/** The effective options of a column: its own locale for amounts if somebody chose one, otherwise the page's. */
export function inPage(options: CurrencyOptions): CurrencyOptions {
  return isWrittenAsPage(options) ? { ...options, currency_locale: pageLocale().baseName } : options;
}
