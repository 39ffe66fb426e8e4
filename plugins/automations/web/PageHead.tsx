import { useHost } from '@trellis/sdk/web';
import type { ReactNode } from 'react';

interface PageHeadProps {
  readonly title: string;
  readonly onBack: () => void;
  readonly children?: ReactNode;
}

/** The head of a page about one automation, with the way back to all of them. */
export function PageHead({ title, onBack, children }: PageHeadProps) {
  const { t } = useHost();
  return (
    <header className="tr-page-head">
      <div className="automations-title">
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Back')}
          title={t('Back')}
          onClick={onBack}
        >
          <i className="pi pi-arrow-left" aria-hidden="true" />
        </button>
        <h2>{title}</h2>
      </div>
      {children}
    </header>
  );
}
