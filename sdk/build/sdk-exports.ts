import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * The names that an SDK entry exports at run time, sorted, without types. Undefined if it is not an SDK entry.
 *
 * A bundler determines them, because entries consist of re-exports and some run only in browsers.
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
