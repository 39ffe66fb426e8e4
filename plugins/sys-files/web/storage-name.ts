import type { Translate } from '@trellis/sdk/web';
import type { StorageEntity } from '../shared/index.ts';

/** What a storage is called: the names of products stay what they are. */
export function storageName({ label, plugin_id: owner }: StorageEntity, t: Translate): string {
  return owner === 'host' ? t('The folder of this server') : label;
}
