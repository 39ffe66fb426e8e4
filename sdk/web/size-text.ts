import { pageLanguage } from './ui/page-language.ts';

const units = ['B', 'KB', 'MB', 'GB'];

/** A size in the format of the page's language: `1.4 MB`. @public */
export function sizeText(bytes: number): string {
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** at;
  const maximumFractionDigits = at === 0 || amount >= 100 ? 0 : 1;
  return `${amount.toLocaleString(pageLanguage(), { maximumFractionDigits })} ${units[at]}`;
}
