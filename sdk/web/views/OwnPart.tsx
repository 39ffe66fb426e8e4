import type { ReactNode } from 'react';
import type { ViewProps } from '../extensions/index.ts';
import { useSharedT } from '../host.tsx';

/** A part of a person's own look. @public */
export interface OwnPartProps extends Pick<ViewProps, 'view'> {
  /** Whether the person has set anything for themselves. */
  readonly isSet: boolean;
  readonly children: ReactNode;
  onReset(this: void): void;
}

/** What somebody who may not arrange a view sets for themselves, and the way back to what the view shows. @public */
export function OwnPart({ view, isSet, children, onReset }: OwnPartProps): ReactNode {
  const t = useSharedT();
  return (
    <section className="tr-own" aria-label={t('For you alone')}>
      <p className="tr-note">
        {view.lock_type === 'locked'
          ? t('This view is locked. What you set here is for you alone.')
          : t('You may look at this view, not change it. What you set here is for you alone.')}
      </p>
      {children}
      {isSet && (
        <button type="button" className="tr-action" onClick={onReset}>
          <i className="pi pi-undo" aria-hidden="true" /> {t('Show it as the view has it')}
        </button>
      )}
    </section>
  );
}
