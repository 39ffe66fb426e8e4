/** Dark enough for white letters, and told apart on light and dark ground. */
const colors = ['#c2410c', '#0e7490', '#7c3aed', '#be185d', '#15803d', '#1d4ed8', '#a16207', '#b91c1c'];

/** The colour of a person: the same in every page, whoever else is there. */
export function colorOf(userId: string): string {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return colors[sum % colors.length] ?? '#1d4ed8';
}
