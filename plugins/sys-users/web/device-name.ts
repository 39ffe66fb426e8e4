const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** What people call the device of a session, of what its browser calls itself; of other programs their own first word. */
export function deviceName(agent: string): string {
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const parts = [nameIn(browsers), nameIn(systems)].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : (agent.split(' ')[0] ?? '');
}
