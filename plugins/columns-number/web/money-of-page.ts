import { pageLanguage } from '@trellis/sdk/web/ui';
import type { CurrencyOptions } from '../shared/index.ts';

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

/** The currency and the way to write it of whoever reads the page: of its language, in their country as the browser knows it. */
export function moneyOfPage(): Partial<CurrencyOptions> {
  const page = new Intl.Locale(pageLanguage() ?? 'en');
  const own = navigator.languages.flatMap((name) => {
    const locale = new Intl.Locale(name);
    return locale.language === page.language && locale.region !== undefined ? [locale] : [];
  });
  const { language, region = '' } = own[0] ?? page.maximize();
  const code = euroRegions.includes(region) ? 'EUR' : currencies[region];
  return { currency_locale: `${language}-${region}`, ...(code !== undefined && { currency_code: code }) };
}
