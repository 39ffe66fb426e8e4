import { mkdir } from 'node:fs/promises';

/** Makes a folder for the owner of the process alone. @throws Error naming the folder and the variable that chooses another one. */
export async function makeFolder(folder: string, variable: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(
      `The folder ${folder} cannot be made (${code}); make it writable, or set ${variable} to another one.`,
      { cause: error },
    );
  }
}
