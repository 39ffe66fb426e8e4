import { messageOfError, useT } from '@trellis/sdk/web';
import { ErrorNotice } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

interface GridNoticesProps {
  /** Whether the view's pages cannot be shown because its rows are grouped. */
  readonly lacksPages: boolean;
  /** Why some filters are not applied; undefined if all are. */
  readonly skipped: string | undefined;
  readonly groupsError: Error | undefined;
  readonly isUngrouped: boolean;
  onApplyFilters(this: void): void;
  onUngroup(this: void): void;
  onGroup(this: void): void;
  onRetry(this: void): void;
}

/** Below the grid: how the shown rows differ from the view's settings, and how to undo that. */
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
