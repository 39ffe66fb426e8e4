import type { PluginEntity } from '@trellis/sdk/shared';
import { sizeText, useT } from '@trellis/sdk/web';

/** Less than this is within the error of the estimate. */
const noticeable = 2 ** 20;

/** What a plugin holds in the server's memory: said of those that are not part of the product, and of each that holds much. */
export function HeldMemoryNote(props: { readonly plugin: PluginEntity; readonly bytes: number | undefined }) {
  const t = useT();
  const { plugin, bytes } = props;
  if (bytes === undefined || (bytes < noticeable && plugin.work === undefined)) return null;
  const isOn = plugin.state === 'enabled' || plugin.state === 'degraded';
  if (bytes < noticeable)
    return isOn && <p className="tr-note">{t('It holds less than 1 MB of the server’s memory.')}</p>;
  const size = sizeText(bytes);
  return (
    <p className="tr-note">
      {isOn
        ? t('It holds about {{size}} of the server’s memory.', { size })
        : t('It is off and still holds about {{size}} of the server’s memory; a restart frees it.', { size })}
    </p>
  );
}
