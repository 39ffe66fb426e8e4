import type { Locator, Page } from 'playwright-core';

/** The cell of a row (from 0) under the column with this title. */
export async function cellAt(page: Page, row: number, title: string): Promise<Locator> {
  const header = page.getByRole('columnheader', { name: new RegExp(`^${title}`) });
  const place = await header.getAttribute('aria-colindex');
  return page.locator(`[aria-rowindex="${row + 2}"]:not([aria-busy]) [aria-colindex="${place}"]`);
}

/** Waits until the cell of a row (from 0) shows a text. */
export async function waitForCell(page: Page, row: number, title: string, text: string): Promise<void> {
  const shown = await cellAt(page, row, title);
  const whole = new RegExp(`^\\s*${text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}\\s*$`);
  await shown.filter({ hasText: whole }).waitFor({ state: 'attached' });
}
