import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import {
  cardHeight,
  cardsPerLine,
  CardTiles,
  RowCard,
  useCardFields,
  useCardRows,
  useLongList,
  type CardRows,
} from '@trellis/sdk/web/cards';
import { useRowColors, useViewOptions, type ViewColumn } from '@trellis/sdk/web/views';
import { useSyncExternalStore, type ReactNode } from 'react';
import type { KanbanOptions } from '../shared/index.ts';

/** Pixels. */
const [gap, widest] = [12, 288];

/**
 * All cards of a board beside and below each other, for visitors who are not shown the column of its stacks: people are named to no
 * visitor, and stacks of nameless people would still tell which cards are whose.
 */
export function UnstackedBoard(props: ViewProps): ReactNode {
  const { t } = useHost();
  const of = useCardRows(props);
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined) return <Cards {...props} {...{ of }} inView={columns} />;
  if (error === undefined) return <div className="kanban" aria-busy="true" />;
  return (
    <div className="kanban-notice" role="alert">
      <span>{t('The view could not be opened: {{reason}}', { reason: messageOfError(error, t) })}</span>
      <button type="button" className="tr-button" onClick={refetch}>
        {t('Try again')}
      </button>
    </div>
  );
}

interface CardsProps extends ViewProps {
  readonly of: CardRows;
  readonly inView: readonly ViewColumn[];
}

function Cards(props: CardsProps): ReactNode {
  const { table, view, of, inView } = props;
  const { rows, columns } = of;
  const { source } = rows;
  const { t } = useHost();
  useSyncExternalStore(source.subscribe, () => source.version);
  const options = useViewOptions(view) as KanbanOptions;
  const colors = useRowColors(props);
  const card = useCardFields(columns, inView, { coverId: options.coverId });
  const look = { ...options, coverHeight: 120 };
  const height = cardHeight(card, look);
  const list = useLongList({
    count: source.count ?? source.atLeast,
    lineHeight: height + gap,
    perLine: (space) => cardsPerLine(space, { width: widest, gap }),
  });
  return (
    <section
      className="kanban"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      {source.error !== undefined && (
        <div className="kanban-notice" role="alert">
          <span>{messageOfError(source.error, t)}</span>
          <button type="button" className="tr-button" onClick={() => source.retry()}>
            {t('Try again')}
          </button>
        </div>
      )}
      <CardTiles
        {...{ source, list, height, gap }}
        label={t('Cards')}
        card={(row) => (
          <RowCard
            {...colors.attributesOf(row)}
            {...{ row, card, look }}
            tableColumns={columns}
            tabIndex={0}
          />
        )}
      />
    </section>
  );
}
