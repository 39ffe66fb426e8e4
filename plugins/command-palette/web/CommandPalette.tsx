import { useT } from '@trellis/sdk/web';
import { Popover, SearchList } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useFindings } from './use-findings.ts';

/** All entries that match the typed text; Enter opens or runs one. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const { findings, isLoading } = useFindings(text);
  return (
    <Popover label={t('Search everything')} width={560} onClose={onClose}>
      <SearchList
        label={t('Search tables, views, pages and commands')}
        listLabel={t('Found')}
        emptyText={isLoading ? t('Loading …') : t('Nothing has such a name.')}
        options={findings}
        onSearch={setText}
        onChoose={(id) => {
          // Closes first, so that the opened item finds the focus where it was before the palette.
          flushSync(onClose);
          findings.find((finding) => finding.id === id)?.open();
        }}
      />
    </Popover>
  );
}
