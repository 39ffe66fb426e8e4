/** Dark enough for white letters, and distinguishable on light and dark backgrounds. */
const colors = ['#c2410c', '#0e7490', '#7c3aed', '#be185d', '#15803d', '#1d4ed8', '#a16207', '#b91c1c'];

/** A person's colour: the same in every page, regardless of other people. */
export function colorOf(userId: string): string {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return colors[sum % colors.length] ?? '#1d4ed8';
}
