import { pageLocale } from '@trellis/sdk/web/ui';
import { isWrittenAsPage } from '#plugins/columns-basic/shared';
import { currenciesOf, type CurrencyOptions } from '../shared/index.ts';

/** What people pay with, by the region of their language; the euro's below. */
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

/** The currency of these texts, else that of whoever reads the page, written as the page writes it. */
export function moneyOfPage(texts: readonly string[] = []): Partial<CurrencyOptions> {
  const locale = pageLocale();
  const { region = '' } = locale;
  const own = euroRegions.includes(region) ? 'EUR' : currencies[region];
  const [named] = currenciesOf(texts.filter((text) => text.trim() !== '')) ?? [];
  // A dollar is one of Canada to whoever lives there.
  const code = named === undefined || named === signedAs(own, locale.baseName) ? own : named;
  return {
    currency_locale: locale.baseName,
    currency_format: 'page',
    ...(code !== undefined && { currency_code: code }),
  };
}

/** The currency that the sign of this one names where nobody knows the country. */
function signedAs(code: string | undefined, locale: string): string | undefined {
  if (code === undefined) return undefined;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code });
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '';
  return currenciesOf([`${sign}1`])?.[0];
}

/** The options of a column as they count in the page: its own way to write amounts where somebody chose one, else that of the page. */
export function inPage(options: CurrencyOptions): CurrencyOptions {
  return isWrittenAsPage(options) ? { ...options, currency_locale: pageLocale().baseName } : options;
}
