import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import {
  cardHeight,
  cardsPerLine,
  CardTiles,
  NoRows,
  RowCard,
  useCardCommands,
  useCardFields,
  useCardRows,
  useLongList,
  type CardRows,
} from '@trellis/sdk/web/cards';
import { useRowColors, useViewOptions, ViewFailure, type ViewColumn } from '@trellis/sdk/web/views';
import { ErrorNotice } from '@trellis/sdk/web/ui';
import { useRef, useSyncExternalStore, type ReactNode } from 'react';
import type { KanbanOptions } from '../shared/index.ts';

/** Pixels. */
const [gap, widest] = [12, 288];

/**
 * All cards of a board in rows, for visitors who may not see the column of its stacks: visitors see no people's names, and stacks
 * of unnamed people would still reveal which cards belong together.
 */
export function UnstackedBoard(props: ViewProps): ReactNode {
  const of = useCardRows(props);
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined) return <Cards {...props} {...{ of }} inView={columns} />;
  if (error === undefined) return <div className="kanban" aria-busy="true" />;
  return <ViewFailure error={error} onRetry={refetch} />;
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
  const home = useRef<HTMLElement>(null);
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
  const { open } = useCardCommands(props, {
    rows,
    isArranged: false,
    focus: (key) => {
      const place = list.box.current?.querySelector(`[data-index="${source.indexOf(key)}"]`);
      place?.querySelector<HTMLElement>('.tr-card')?.focus();
    },
  });
  return (
    <section
      ref={home}
      tabIndex={-1}
      className="kanban"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      {source.error !== undefined && (
        <ErrorNotice message={messageOfError(source.error, t)} onRetry={() => source.retry()} />
      )}
      {source.count === 0 && source.error === undefined && <NoRows {...props} {...{ of, home }} />}
      <CardTiles
        {...{ source, list, height, gap }}
        label={t('Cards')}
        card={(row) => (
          <RowCard
            {...colors.attributesOf(row)}
            {...{ row, card, look }}
            tableColumns={columns}
            tabIndex={0}
            onClick={() => row && open?.(row.key)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') currentTarget.click();
            }}
          />
        )}
      />
    </section>
  );
}
