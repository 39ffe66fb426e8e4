import { messageOfError, useT } from '@trellis/sdk/web';
import { ErrorNotice } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

interface GridNoticesProps {
  /** A view that is shown in pages cannot be, while its rows are grouped. */
  readonly lacksPages: boolean;
  /** Why some filters do not hold; undefined while all do. */
  readonly skipped: string | undefined;
  readonly groupsError: Error | undefined;
  readonly isUngrouped: boolean;
  onApplyFilters(this: void): void;
  onUngroup(this: void): void;
  onGroup(this: void): void;
  onRetry(this: void): void;
}

/** Below the grid: in what the rows are shown otherwise than the view says, and the way back. */
export function GridNotices(props: GridNoticesProps): ReactNode {
  const { lacksPages, skipped, groupsError, isUngrouped } = props;
  const t = useT();
  return (
    <>
      {lacksPages && (
        <div className="gridview-skipped" role="status">
          {t('While rows are grouped they are not shown in pages; groups can be collapsed instead.')}
        </div>
      )}
      {skipped !== undefined && (
        <div className="gridview-skipped" role="status">
          {skipped}{' '}
          <button type="button" onClick={props.onApplyFilters}>
            {t('Apply all filters')}
          </button>
        </div>
      )}
      {groupsError !== undefined && (
        <ErrorNotice
          message={t('Groups could not be read: {{reason}}', { reason: messageOfError(groupsError, t) })}
          onRetry={props.onRetry}
        >
          <button type="button" className="tr-button" onClick={props.onUngroup}>
            {t('Show without groups')}
          </button>
        </ErrorNotice>
      )}
      {isUngrouped && (
        <div className="gridview-skipped" role="status">
          {t('Shown without groups.')}{' '}
          <button type="button" onClick={props.onGroup}>
            {t('Show groups')}
          </button>
        </div>
      )}
    </>
  );
}
