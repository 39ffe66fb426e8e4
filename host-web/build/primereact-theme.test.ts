import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { withTokens } from './primereact-theme.ts';

const file = createRequire(import.meta.url).resolve('primereact/resources/themes/lara-light-blue/theme.css');

describe("PrimeReact's theme", () => {
  test('takes areas from the paper and letters from what stands on the primary colour', () => {
    expect(withTokens('.a { background: #ffffff; color: #ffffff; border: 1px solid #3B82F6; }')).toBe(
      '.a { background: var(--trellis-surface); color: var(--trellis-primary-contrast); border: 1px solid var(--trellis-primary); }',
    );
  });

  test('keeps the palettes that it defines, and drops its fonts', () => {
    expect(withTokens(':root { --blue-500:#3b82f6; }')).toContain('#3b82f6');
    expect(withTokens('@font-face { src: url("./x.woff2"); } .a { color: red; }').trim()).toBe(
      '.a { color: red; }',
    );
  });

  test('has no colour of its own left that would show in the dark', () => {
    const css = withTokens(readFileSync(file, 'utf8')).replace(/--[a-z]+-\d+:\s*#[0-9a-f]+/g, '');
    const left = css.match(/(?:background(?:-color)?|(?<![-\w])color):\s*#[0-9a-f]{3,6}/gi) ?? [];
    expect([...new Set(left)]).toEqual([]);
    expect(css).not.toContain('url(');
  });
});
