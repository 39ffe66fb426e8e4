import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const present = existsSync(executablePath) || process.env['TRELLIS_TEST_REQUIRE_ALL'] === '1';

/** `describe` for suites that need Chromium: skipped where there is none, unless nothing may be skipped. */
export const describeInBrowser = present ? describe : describe.skip;

/** Starts Chromium without a window; the caller closes it. */
export function launchBrowser(): Promise<Browser> {
  // Root has no sandbox to give, and tests run as root in containers.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
