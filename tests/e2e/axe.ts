import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** A problem of some elements, in few words. */
export interface Finding {
  readonly rule: string;
  readonly help: string;
  readonly elements: readonly string[];
}

/** The rules whose findings depend on colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe-core finds on the page as it is now, without what it calls moderate or minor.
 *
 * @param rules the only ones that are looked at; without any, all are.
 */
export async function findingsOn(page: Page, rules: string[] = []): Promise<readonly Finding[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    // A transition shows colours that are nobody's choice; what pulses while something loads has no end.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      // Nobody reads where each element stands that is as it should be.
      resultTypes: ['violations'],
      ...(values.length > 0 && { runOnly: { type: 'rule' as const, values } }),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => ({
        rule: id,
        help,
        elements: nodes
          .slice(0, 5)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
      }));
  }, rules);
}

/**
 * What axe-core finds in both themes. The second has other colours and nothing else, so that only the rules of colours are looked at
 * again.
 *
 * @param see is called in each theme, before anything is looked for
 */
export async function findingsInBothThemes(
  page: Page,
  see: (theme: string) => Promise<void> = async () => undefined,
): Promise<Readonly<Record<string, readonly Finding[]>>> {
  const found: Record<string, readonly Finding[]> = {};
  await eachTheme(page, async (theme) => {
    await see(theme);
    found[theme] = await findingsOn(page, Object.keys(found).length === 0 ? [] : colourRules);
  });
  return found;
}

/** The theme is kept for both widths and all screens; the shortcut changes it where a page is open. */
async function eachTheme(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await check(await page.evaluate(() => document.documentElement.dataset.theme ?? 'none'));
    const before = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('Alt+Shift+D');
    await page.waitForFunction((theme) => document.documentElement.dataset.theme !== theme, before);
  }
}
