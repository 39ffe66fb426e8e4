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

/** A readable name of a session's device, from its browser's user agent; for other programs, its first word. */
export function deviceName(agent: string): string {
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const parts = [nameIn(browsers), nameIn(systems)].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : (agent.split(' ')[0] ?? '');
}
