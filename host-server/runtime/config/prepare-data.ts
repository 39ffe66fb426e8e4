import type { Config } from './config.ts';
import { prepareFolder } from './prepare-folder.ts';
import { refuseEmptiedMetadata } from './refuse-emptied-metadata.ts';

/** Bytes that a start may store: on less of a disk it would come to its end without most of its plugins. */
const roomOfStart = 8 * 1024 * 1024;

/** Sees to it that there is a place for the data, before anything is opened. Throws what an operator should read. */
export async function prepareData(config: Config): Promise<void> {
  await prepareFolder(config.dataDir, 'TRELLIS_DATA_DIR', 'file' in config.database ? roomOfStart : 1);
  await prepareFolder(config.sqliteDir, 'TRELLIS_SQLITE_DIR');
  await refuseEmptiedMetadata(config);
}
