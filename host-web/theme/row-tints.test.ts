import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { darkSwatches, strongTone, swatches } from '@trellis/sdk/shared';

type Rgb = readonly [number, number, number];

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [light = '', dark = ''] = css.split(":root[data-theme='dark']");

function token(of: string, name: string): string {
  const found = new RegExp(`--trellis-${name}:\\s*([^;]+);`).exec(of)?.[1];
  if (found === undefined) throw new Error(`There is no token ${name}.`);
  return found;
}
const percent = (of: string, name: string) => Number.parseFloat(token(of, name)) / 100;
const rgb = (hex: string): Rgb => {
  const whole = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex;
  const part = (at: number) => Number.parseInt(whole.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};
const mix = (one: Rgb, share: number, other: Rgb): Rgb => [
  one[0] * share + other[0] * (1 - share),
  one[1] * share + other[1] * (1 - share),
  one[2] * share + other[2] * (1 - share),
];
function luminance(of: Rgb): number {
  const [r, g, b] = of.map((part) => {
    const value = part / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test.each([
  ['light', light],
  ['dark', dark],
])('the text and the links of a row in any colour can be read: %s', (_theme, of) => {
  const surface = rgb(token(of, 'surface'));
  const text = rgb(token(of, 'text'));
  const links = mix(rgb(token(of, 'primary')), percent(of, 'text-mix'), rgb(token(of, 'strong-end')));
  for (const swatch of swatches) {
    const tint = mix(rgb(strongTone(swatch)), percent(of, 'row-mix'), surface);
    expect([swatch, contrast(text, tint) > 7, contrast(links, tint) >= 4.5]).toEqual([swatch, true, true]);
  }
});

test.each([
  ['light', light],
  ['dark', dark],
])('a stripe can be told from the row: %s', (_theme, of) => {
  for (const swatch of darkSwatches)
    expect([swatch, contrast(rgb(swatch), rgb(token(of, 'surface'))) >= 2.5]).toEqual([swatch, true]);
});
