import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const present = existsSync(executablePath) || process.env['TRELLIS_TEST_REQUIRE_ALL'] === '1';

/** `describe` for suites that need Chromium: skipped if it is missing, unless nothing may be skipped. */
export const describeInBrowser = present ? describe : describe.skip;

/** Maximum random delay of each API answer in milliseconds: reveals tests that do not wait for the page. */
const latest = Number(process.env['TRELLIS_TEST_LATE_ANSWERS'] ?? 0);

/** Milliseconds after which a wait is given up; other programs may use both cores. */
export const patience = latest > 0 ? 15_000 + latest * 10 : 60_000;

async function delayAnswers(context: BrowserContext): Promise<void> {
  await context.route('**/api/v1/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, latest * (0.5 + Math.random() / 2)));
    // The page may be closed meanwhile.
    await route.fallback().catch(() => undefined);
  });
}

/**
 * Each context saves a file that `npx playwright-core show-trace` opens: every action with the page before and after it, and the
 * requests.
 */
function trace(browser: Browser, folder: string): void {
  let count = 0;
  browser.on('context', (context) => {
    const path = join(folder, `${process.pid}-${Date.now()}-${(count += 1)}.zip`);
    const begun = context.tracing.start({ screenshots: true, snapshots: true });
    const close = context.close.bind(context);
    context.close = async (options) => {
      await begun;
      await context.tracing.stop({ path });
      await close(options);
    };
  });
  const close = browser.close.bind(browser);
  browser.close = async (options) => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await close(options);
  };
}

/** The options of a test's browser. */
export interface BrowserOptions {
  /** A folder for its contexts' traces. */
  readonly traces?: string | undefined;
  /** Scripts are interpreted and never compiled, so that the heap contains only their data and no generated code. */
  readonly isInterpreting?: boolean;
}

/** Starts Chromium without a window; the caller closes it. */
export async function launchBrowser({
  traces = process.env['TRELLIS_TEST_TRACES'],
  isInterpreting = false,
}: BrowserOptions = {}): Promise<Browser> {
  // The sandbox does not work for root, and tests run as root in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  if (isInterpreting) args.push('--js-flags=--jitless');
  const browser = await chromium.launch({ executablePath, args });
  browser.on('context', (context) => context.setDefaultTimeout(patience));
  if (latest > 0) browser.on('context', (context) => void delayAnswers(context));
  if (traces !== undefined) trace(browser, traces);
  return browser;
}
