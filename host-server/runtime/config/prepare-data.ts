import type { Config } from './config.ts';
import { prepareFolder } from './prepare-folder.ts';
import { refuseEmptiedMetadata } from './refuse-emptied-metadata.ts';

/** Sees to it that there is a place for the data, before anything is opened. Throws what an operator should read. */
export async function prepareData(config: Config): Promise<void> {
  await prepareFolder(config.dataDir, 'TRELLIS_DATA_DIR');
  await prepareFolder(config.sqliteDir, 'TRELLIS_SQLITE_DIR');
  await refuseEmptiedMetadata(config);
}
