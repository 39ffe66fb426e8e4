/** The manifest of a test's plugin: enabled by default, for any version. */
export function testManifest(
  id: string,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    id,
    name,
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
    ...more,
  };
}
