import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';

/** The props of the heading of a page, or of a tab of the dashboard. @public */
export interface PageHeadProps {
  /** The page's name, the only heading of its level. */
  readonly title: string;
  /** A description of the page. */
  readonly about?: ReactNode;
  /** At the end of the line: a search field, buttons. */
  readonly children?: ReactNode;
  /** For a subpage: returns to the page before. */
  onBack?(this: void): void;
}

/** The heading of a page with its actions. @public */
export function PageHead({ title, about, children, onBack }: PageHeadProps): ReactNode {
  const t = useSharedT();
  return (
    <header className="tr-page-head">
      <div className="tr-page-title">
        {onBack && (
          <button
            type="button"
            className="tr-icon-button"
            aria-label={t('Back')}
            title={t('Back')}
            onClick={onBack}
          >
            <i className="pi pi-arrow-left" aria-hidden="true" />
          </button>
        )}
        <div>
          <h1>{title}</h1>
          {about !== undefined && <p>{about}</p>}
        </div>
      </div>
      {children}
    </header>
  );
}
