import type { Config } from './config.ts';
import { prepareFolder } from './prepare-folder.ts';
import { refuseEmptiedMetadata } from './refuse-emptied-metadata.ts';

/** Bytes that a start may store. With less free space it would finish without most of its plugins. */
const roomOfStart = 8 * 1024 * 1024;

/** Ensures that there is a place for the data, before anything is opened. Throws errors with messages for the operator. */
export async function prepareData(config: Config): Promise<void> {
  await prepareFolder(config.dataDir, 'TRELLIS_DATA_DIR', 'file' in config.database ? roomOfStart : 1);
  await prepareFolder(config.sqliteDir, 'TRELLIS_SQLITE_DIR');
  await refuseEmptiedMetadata(config);
}
