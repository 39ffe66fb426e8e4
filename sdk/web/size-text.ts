const units = ['B', 'KB', 'MB', 'GB'];

/** A size as people read it: `1.4 MB`. @public */
export function sizeText(bytes: number): string {
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** at;
  return `${amount.toLocaleString(undefined, { maximumFractionDigits: at === 0 || amount >= 100 ? 0 : 1 })} ${units[at]}`;
}
