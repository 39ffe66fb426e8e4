import { randomUUID } from 'node:crypto';
import { access, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder that the test files of one run share; undefined if each works alone. */
export function runFolder(): string | undefined {
  return process.env['TRELLIS_TEST_RUN'];
}

/** The contents stored under a name, if any. */
export async function readShared(name: string): Promise<Buffer | undefined> {
  const folder = runFolder();
  return folder === undefined ? undefined : unlessMissing(readFile(join(folder, name)));
}

export async function isThere(name: string): Promise<boolean> {
  const folder = runFolder();
  return folder !== undefined && (await unlessMissing(access(join(folder, name)).then(() => true))) === true;
}

/** Stores contents under a name, completely or not at all. Resolves to whether this file was the first. */
export async function share(name: string, contents: Uint8Array | string): Promise<boolean> {
  const folder = runFolder();
  if (folder === undefined) return false;
  const whole = join(folder, randomUUID());
  await writeFile(whole, contents);
  try {
    await link(whole, join(folder, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(whole);
  }
}

/** Puts a name into a pool, from which one other file takes it. Resolves to whether pools exist. */
export async function leaveInPool(pool: string, name: string): Promise<boolean> {
  const folder = runFolder();
  if (folder === undefined) return false;
  await mkdir(join(folder, pool), { recursive: true });
  await writeFile(join(folder, pool, name), '');
  return true;
}

/** Takes a name out of a pool, so that nobody else has it. */
export async function takeFromPool(pool: string): Promise<string | undefined> {
  const folder = runFolder();
  if (folder === undefined) return undefined;
  for (const name of (await unlessMissing(readdir(join(folder, pool)))) ?? []) {
    const taken = await unlessMissing(
      rename(join(folder, pool, name), join(folder, `taken-${name}`)).then(() => name),
    );
    if (taken !== undefined) return taken;
  }
  return undefined;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
