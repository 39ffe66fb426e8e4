import { sizeText, useT } from '@trellis/sdk/web';
import type { ServerMemory } from '../shared/index.ts';

/** What all plugins hold together, and what happens where one of them fills it. */
export function MemoryNote({ memory: { used, limit, process } }: { readonly memory: ServerMemory }) {
  const t = useT();
  const sizes = { used: sizeText(used), limit: sizeText(limit), process: sizeText(process) };
  return (
    <p className="tr-note store-memory">
      {t(
        'Plugins run within the server and share its memory: JavaScript holds {{used}} of {{limit}}, the whole process has {{process}}. How much of it is whose cannot be measured; the time of each installed plugin stands on its card.',
        sizes,
      )}{' '}
      {t('When the memory runs out, the plugin that took most of it is named and starts switched off.')}
    </p>
  );
}
