import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Saves a screenshot in the folder of `TRELLIS_TEST_SCREENSHOTS`; does nothing without it. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['TRELLIS_TEST_SCREENSHOTS'];
  if (folder !== undefined)
    await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) });
}
