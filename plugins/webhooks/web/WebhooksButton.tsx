import { lazyPart, useT, type ViewProps } from '@trellis/sdk/web';
import { useState } from 'react';

const WebhooksDialog = lazyPart(() => import('./WebhooksDialog.tsx'));

/** Opens the table's webhooks. */
export default function WebhooksButton({ table }: ViewProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="tr-tool"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t('Tell other programs of changes of rows')}
        onClick={() => setOpen(true)}
      >
        <i className="pi pi-send" aria-hidden="true" />
        <span>{t('Webhooks')}</span>
      </button>
      {isOpen && <WebhooksDialog table={table} onClose={() => setOpen(false)} />}
    </>
  );
}
