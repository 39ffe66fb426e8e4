import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { meantInstead, nearestWord, parseJson, placeAt } from '@trellis/core';

/** A `tsconfig.json` that cannot be read: without it neither the type check nor the build is meaningful. */
export class UnreadableTsconfig extends Error {}

const nameOf = 'tsconfig.json';
/** The value of `extends` in plugins. */
const own = '@trellis/sdk/tsconfig.json';

/**
 * Checks a folder's `tsconfig.json`, if there is one, as far as everything else depends on it.
 *
 * @throws UnreadableTsconfig with the place and the solution, if it is not JSON or extends a missing file
 */
export async function assertTsconfig(root: string): Promise<void> {
  const text = await readFile(join(root, nameOf), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const bases = extendedBy(text);
  const require = createRequire(join(root, nameOf));
  for (const base of bases) {
    if (base.startsWith('.') || base.startsWith('/')) continue;
    try {
      require.resolve(base);
    } catch (error) {
      const { line, column } = placeAt(text, Math.max(text.indexOf(JSON.stringify(base)), 0));
      const wayOut =
        nearestWord(base, [own]) === undefined || base === own
          ? ` run "npm install" in the plugin's folder.`
          : meantInstead(base, [own]).replace(/^;/, '');
      throw new UnreadableTsconfig(
        `${nameOf}:${line}:${column} extends '${base}', which is not installed;${wayOut}`,
        { cause: error },
      );
    }
  }
}

function extendedBy(text: string): readonly string[] {
  try {
    const { extends: base = [] } = parseJson(withoutComments(text), nameOf) as {
      readonly extends?: string | readonly string[];
    };
    return [base].flat();
  } catch (error) {
    throw new UnreadableTsconfig(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The same text with spaces instead of comments and trailing commas, so that places stay the same. */
function withoutComments(text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  const bare = text.replaceAll(/"(?:\\.|[^"\\])*"|\/\/.*|\/\*[^]*?\*\//g, (part) =>
    part.startsWith('"') ? part : blank(part),
  );
  return bare.replaceAll(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (part) => (part === ',' ? ' ' : part));
}
