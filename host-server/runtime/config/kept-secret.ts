import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret of this installation: the configured one, else one made at the first start and stored with mode 0600.
 *
 * @throws Error naming the file if it is empty, as after a full disk or a power loss: anybody could derive keys from an empty
 * secret
 */
export async function keptSecret(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  const file = join(dataDir, 'secret');
  await mkdir(dataDir, { recursive: true });
  if (!(await isThere(file))) await makeSecret(file);
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret !== '') return secret;
  throw new Error(
    `The file ${file} is empty, and this server cannot sign and encrypt without a secret. Put the file back from a backup; or ` +
      'remove it to have a new one made, which cannot read what was encrypted with the former one.',
  );
}

/** Written in one step and flushed: a full disk, or the end of the process, leaves no file rather than an empty one. */
async function makeSecret(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
      // Another process has just made it. Some file systems do not support links.
      if (error.code !== 'EEXIST') await rename(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
