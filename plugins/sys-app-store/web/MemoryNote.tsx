import { sizeText, useT } from '@trellis/sdk/web';
import type { ServerMemory } from '../shared/index.ts';

/** What all plugins hold together, and what happens where one of them fills it. */
export function MemoryNote(props: { readonly memory: ServerMemory; readonly isMeasured: boolean }) {
  const t = useT();
  const { used, limit, process } = props.memory;
  const sizes = { used: sizeText(used), limit: sizeText(limit), process: sizeText(process) };
  return (
    <p className="tr-note store-memory">
      {t(
        'Plugins run within the server and share its memory: JavaScript holds {{used}} of {{limit}}, the whole process has {{process}}.',
        sizes,
      )}{' '}
      {props.isMeasured &&
        `${t('What a plugin holds is estimated from samples of what it makes, without files and connections; it stands on its card where it is 1 MB or more, and for each installed plugin.')} `}
      {t('When the memory runs out, the plugin that took most of it is named and starts switched off.')}
    </p>
  );
}
