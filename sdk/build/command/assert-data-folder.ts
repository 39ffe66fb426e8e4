import { readdir } from 'node:fs/promises';

/** What only a product's data folder has: what is kept there from the first start on, its configuration, and its watchdog's note. */
const certain = ['trellis.db', 'secret', 'trellis.json', 'stopped-plugin.json'];
/** What else it keeps there, by names that other folders may have too. */
const possible = ['plugins', 'files', 'sqlite'];
/** What a file system puts into its topmost folder. */
const ofFileSystem = 'lost+found';

/**
 * Asserts that a folder can be a product's data folder: it is empty, or holds what is kept there.
 *
 * @throws Error with the solution if there is none, or if it holds something else
 */
export async function assertDataFolder(folder: string): Promise<void> {
  const wayOut = '--data names the folder in which the product keeps its data, as TRELLIS_DATA_DIR does.';
  const held = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOTDIR' ? `${folder} is no folder; ${wayOut}` : `There is no ${folder}; ${wayOut}`,
      { cause: error },
    );
  });
  const names = held.filter((name) => name !== ofFileSystem);
  if (names.some((name) => certain.includes(name)) || names.every((name) => possible.includes(name))) return;
  const first = names.find((name) => !possible.includes(name)) ?? '';
  throw new Error(`${folder} is no data folder of a product: it holds '${first}'; ${wayOut}`);
}
