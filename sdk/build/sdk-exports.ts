import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * The names that an entry of the SDK exports when it runs, sorted; types are none of them. Undefined for what is no entry of the SDK.
 *
 * They are asked of a bundler, since entries consist of re-exports and some of them run in browsers alone.
 */
export async function sdkExports(id: string): Promise<readonly string[] | undefined> {
  if (!id.startsWith('@trellis/sdk/')) return undefined;
  const bundle = await rolldown({
    input: { index: fileURLToPath(import.meta.resolve(id)) },
    external: (other) => !/^(\.|\/|@trellis\/)/.test(other),
    moduleTypes: { '.css': 'empty' },
    treeshake: false,
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'esm' });
    return [...output[0].exports].sort();
  } finally {
    await bundle.close();
  }
}
