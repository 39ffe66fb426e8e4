import { useT } from '@trellis/sdk/web';
import { WorkButton } from '@trellis/sdk/web/ui';
import type { ShownAudit } from './use-audit.ts';

export function ReadAgain({ audit: { isFetching, readAgain } }: { readonly audit: ShownAudit }) {
  const t = useT();
  return (
    <WorkButton isBusy={isFetching} onClick={readAgain}>
      <i className="pi pi-refresh" aria-hidden="true" /> {t('Read again')}
    </WorkButton>
  );
}
