import type { Translate } from '@trellis/sdk/web';
import type { StorageEntity } from '../shared/index.ts';

/** A storage's name: product names are not translated. */
export function storageName({ label, plugin_id: owner }: StorageEntity, t: Translate): string {
  return owner === 'host' ? t('The folder of this server') : label;
}
