import type { Locator, Page } from 'playwright-core';
import { expectUntil } from './expect-until.ts';

/** A column's head. A grid draws only visible ones, so it is scrolled to this one. */
async function headOf(page: Page, title: string): Promise<Locator> {
  const head = page.getByRole('columnheader', { name: new RegExp(`^${title}`) });
  await page.getByRole('columnheader').first().waitFor();
  let left = 0;
  await expectUntil(async () => {
    if ((await head.count()) > 0) return true;
    await page.locator('.tgrid-scroller').evaluate((box, to) => {
      box.scrollLeft = to % box.scrollWidth;
    }, left);
    left += 300;
    return false;
  });
  return head;
}

/** The cell of a row (from 0) under the column with this title. */
export async function cellAt(page: Page, row: number, title: string): Promise<Locator> {
  const head = await headOf(page, title);
  const place = await head.getAttribute('aria-colindex');
  return page.locator(`[aria-rowindex="${row + 2}"]:not([aria-busy]) [aria-colindex="${place}"]`);
}

/** Waits until the cell of a row (from 0) shows a text. */
export async function waitForCell(page: Page, row: number, title: string, text: string): Promise<void> {
  const shown = await cellAt(page, row, title);
  const whole = new RegExp(`^\\s*${text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}\\s*$`);
  await shown.filter({ hasText: whole }).waitFor({ state: 'attached' });
}
