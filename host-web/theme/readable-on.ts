const dark = '#03101f';
const light = '#ffffff';

/** The most readable text colour on a background, dark or light, by the contrast that WCAG defines. */
export function readableOn(colour: string): string | undefined {
  const background = luminance(colour);
  if (background === undefined) return undefined;
  return contrast(background, luminance(light) ?? 1) >= contrast(background, luminance(dark) ?? 0)
    ? light
    : dark;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Relative luminance of `#rrggbb`, from 0 (black) to 1. */
function luminance(colour: string): number | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((hex) => {
    const channel = Number.parseInt(hex, 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
