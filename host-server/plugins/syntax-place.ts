import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Milliseconds for checking all files. */
const longestLook = 10_000;

/**
 * Puts the place of a syntax error at the head of its stack, as Node does for a missing export. The stack of a module that cannot
 * be parsed names neither file nor line, so another process checks the files.
 *
 * @param url of the module that could not be imported; the error may be in one that it imports
 */
export async function locateSyntaxError(error: unknown, url: string): Promise<void> {
  if (!(error instanceof Error) || error.name !== 'SyntaxError' || hasPlace(error)) return;
  const entry = fileURLToPath(url.replace(/\?.*$/, ''));
  const folder = dirname(entry);
  // The plugin's own code raised the error, for example by parsing a text that is no JSON: its stack has the place.
  if (error.stack?.includes(`${folder}/`) === true) return;
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const others = names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
  const end = performance.now() + longestLook;
  for (const file of new Set([entry, ...others])) {
    const left = end - performance.now();
    if (left <= 0) return;
    const head = await headOf(file, left);
    if (head === undefined) continue;
    error.stack = `${head}\n${error.stack ?? ''}`;
    return;
  }
}

/** `/srv/acme/index.js:2`, the line of the sources, and a mark below the place. */
const head = /^.+:\d+\n.*\n[ \t]*\^+$/m;

function hasPlace({ stack = '' }: Error): boolean {
  return head.test(stack);
}

async function headOf(file: string, timeout: number): Promise<string | undefined> {
  try {
    const env = { ...process.env, NODE_OPTIONS: '' };
    await run(process.execPath, ['--check', file], { timeout: Math.ceil(timeout), env });
    return undefined;
  } catch (error) {
    return head.exec((error as { readonly stderr?: string }).stderr ?? '')?.[0];
  }
}
