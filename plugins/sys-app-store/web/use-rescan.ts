import { messageOfError, useHost } from '@trellis/sdk/web';
import { useState } from 'react';

/** By plugin's id. */
interface Report {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** Has the server look at the folders of installed plugins again, and tells what it found. */
export function useRescan() {
  const { api, t, toast, invalidate } = useHost();
  const [isBusy, setIsBusy] = useState(false);

  function tell({ added, changed, gone, failed }: Report): void {
    const found = [
      ...(added.length > 0 ? [t('New: {{names}}', { names: added.join(', ') })] : []),
      ...(changed.length > 0 ? [t('Changed: {{names}}', { names: changed.join(', ') })] : []),
      ...(gone.length > 0 ? [t('Gone: {{names}}', { names: gone.join(', ') })] : []),
    ];
    if (found.length > 0 || failed.length === 0) {
      const summary = found.length > 0 ? t('The plugins were read again') : t('Nothing has changed');
      toast({ severity: 'success', summary, detail: found.join('. '), life: 6000 });
    }
    for (const { id, reason } of failed) {
      const summary = t('{{name}} was not taken; what was there before is in service', { name: id });
      toast({ severity: 'error', summary, detail: reason });
    }
  }

  async function rescan(): Promise<void> {
    setIsBusy(true);
    try {
      tell(await api.request<Report>({ method: 'POST', path: '/api/v1/app-store/rescan' }));
    } catch (error) {
      const summary = t('The plugins could not be read again');
      toast({ severity: 'error', summary, detail: messageOfError(error, t) });
    } finally {
      setIsBusy(false);
      invalidate(['plugins']);
    }
  }

  return { isRescanning: isBusy, rescan };
}
