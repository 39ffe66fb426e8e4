import { useRegistry, useT } from '@trellis/sdk/web';
import type { GridColumn } from '@trellis/sdk/web/grid';
import { ActionMenu } from '@trellis/sdk/web/ui';
import { suitsFigure } from '@trellis/sdk/web/views';
import type { ReactNode } from 'react';

/** A column whose summary is being chosen, and the menu's position. */
export interface FigureChoice {
  readonly columnId: string;
  readonly x: number;
  readonly y: number;
}

interface FigureMenuProps {
  readonly choice: FigureChoice;
  readonly column: GridColumn;
  /** The id of an aggregation. */
  readonly chosen: string | undefined;
  readonly onChoose: (aggregation: string | undefined) => void;
  readonly onClose: () => void;
}

/** Chooses the summary under a column. */
export function FigureMenu({ choice, column, chosen, onChoose, onClose }: FigureMenuProps): ReactNode {
  const t = useT();
  const offered = useRegistry('aggregations').filter((each) => suitsFigure(each, column));
  const entry = (id: string | undefined, label: string) => ({
    id: id ?? 'none',
    label,
    icon: id === chosen ? 'check' : '',
    isChosen: id === chosen,
    run: () => onChoose(id),
  });
  const actions = [entry(undefined, t('None')), ...offered.map(({ id, label }) => entry(id, t(label)))];
  return (
    <ActionMenu
      label={t('Summary under {{title}}', { title: column.entity.title })}
      x={choice.x}
      y={choice.y}
      actions={actions}
      onClose={onClose}
    />
  );
}
