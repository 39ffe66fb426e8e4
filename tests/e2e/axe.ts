import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** A problem of some elements, in short. */
export interface Finding {
  readonly rule: string;
  readonly help: string;
  readonly elements: readonly string[];
}

/** The rules that depend on colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * axe-core's findings on the current page, without those of moderate or minor impact.
 *
 * @param rules the only rules to check; if empty, all are.
 */
export async function findingsOn(page: Page, rules: string[] = []): Promise<readonly Finding[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    // Colours during a transition are not intended; animations of loading elements never end.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      // The positions of correct elements are not needed.
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
 * axe-core's findings in both themes. The second theme differs only in its colours, so only the colour rules are checked again.
 *
 * @param see called in each theme before the check
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

/** The theme is stored for both widths and all screens; the shortcut changes it on an open page. */
async function eachTheme(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await check(await page.evaluate(() => document.documentElement.dataset.theme ?? 'none'));
    const before = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('Alt+Shift+D');
    await page.waitForFunction((theme) => document.documentElement.dataset.theme !== theme, before);
  }
}
