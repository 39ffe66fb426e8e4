import { useT } from '@trellis/sdk/web';
import type { RowWindow } from '@trellis/sdk/web/rows';
import type { ReactNode } from 'react';
import { RowCount } from './RowCount.tsx';

interface GridStatusProps {
  readonly source: RowWindow;
  /** Collapses or expands all groups; undefined without groups. */
  readonly onFoldAll: ((isFolded: boolean) => void) | undefined;
}

/** At the start of the footer: the number of rows, and the buttons for all groups. */
export function GridStatus({ source, onFoldAll }: GridStatusProps): ReactNode {
  const t = useT();
  return (
    <span className="gridview-status">
      <RowCount source={source} />
      {onFoldAll && (
        <>
          <FoldButton label={t('Collapse all')} icon="up" onClick={() => onFoldAll(true)} />
          <FoldButton label={t('Expand all')} icon="down" onClick={() => onFoldAll(false)} />
        </>
      )}
    </span>
  );
}

/** There is little room, so the name is only read out and shown on hover. */
function FoldButton(props: {
  readonly label: string;
  readonly icon: 'up' | 'down';
  readonly onClick: () => void;
}) {
  const { label, icon, onClick } = props;
  return (
    <button type="button" className="gridview-fold" aria-label={label} title={label} onClick={onClick}>
      <i className={`pi pi-angle-double-${icon}`} aria-hidden="true" />
    </button>
  );
}
