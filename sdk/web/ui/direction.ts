/** Whether the page is read from right to left. @public */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}
