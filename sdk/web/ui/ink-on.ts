/** Black or white, whichever is readable on a colour such as `#2d6fdb`. @public */
export function inkOn(color: string): string {
  const part = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  return luminance > 0.36 ? '#1c2430' : '#ffffff';
}
