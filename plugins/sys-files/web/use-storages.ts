import { hostObjectKinds } from '@trellis/sdk/shared';
import { objectsTag, useRefreshWhile, useServerData } from '@trellis/sdk/web';
import { storageObjectKind, type StorageAnswer } from '../shared/index.ts';

export const storagePath = '/api/v1/storage';
export const storageTag = objectsTag(storageObjectKind);

/** The storages' state changes with plugins and their settings. */
const tags = [storageTag, objectsTag(hostObjectKinds.pluginSettings), 'plugins'];

/** The current storages; polled while files are moved. */
export function useStorages() {
  const { data, error, refetch } = useServerData<StorageAnswer>({ path: storagePath }, { tags });
  const isMoving = data?.move?.finished_at === null;
  useRefreshWhile(isMoving, refetch);
  return { data, error, refetch, isMoving };
}
