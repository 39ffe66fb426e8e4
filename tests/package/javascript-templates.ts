import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { typedJavaScript } from './typed-javascript.ts';

/**
 * Writes the templates for authors who write JavaScript. They are made of those in TypeScript, so that there is one source of them.
 *
 * @param style the configuration of Prettier by which they are laid out
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

/** Names files as they are called in JavaScript, wherever a text names them. */
function inJavaScript(text: string): string {
  return text.replaceAll(/(?<=\w)\.ts(x?)\b/g, '.js$1');
}
