/** The language of the page for `Intl`; that of the browser where the page names none. @public */
export function pageLanguage(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** Whether the page is read from right to left. @public */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}
