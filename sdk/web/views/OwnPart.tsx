import type { ReactNode } from 'react';
import type { ViewProps } from '../extensions/index.ts';
import { useSharedT } from '../host.tsx';

/** The props of a part of a person's own settings for a view. @public */
export interface OwnPartProps extends Pick<ViewProps, 'view'> {
  /** Whether the person has changed anything. */
  readonly isSet: boolean;
  readonly children: ReactNode;
  onReset(this: void): void;
}

/** Personal settings of a person who may not arrange a view, with a button that resets them to the view's. @public */
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
