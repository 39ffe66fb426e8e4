import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { typedJavaScript } from './typed-javascript.ts';

/**
 * Writes the JavaScript templates. They are generated from those in TypeScript, so that there is one source.
 *
 * @param style the Prettier configuration for their layout
 */
export async function writeJavaScriptTemplates(from: string, to: string, style: string): Promise<void> {
  const options = await resolveConfig(join(from, 'any.js'), { config: style });
  const entries = readdirSync(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const source = readFileSync(file, 'utf8');
    const written = join(to, inJavaScript(file.slice(from.length + 1)));
    const text = /\.tsx?$/.test(file)
      ? await format(inJavaScript(typedJavaScript(source, file)), { ...options, filepath: written })
      : inJavaScript(source);
    mkdirSync(dirname(written), { recursive: true });
    writeFileSync(written, text);
  }
}

/** Replaces file names in a text by their JavaScript names. */
function inJavaScript(text: string): string {
  return text.replaceAll(/(?<=\w)\.ts(x?)\b/g, '.js$1');
}
