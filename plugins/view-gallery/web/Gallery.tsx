import type { AggregationOf, RowKey } from '@trellis/sdk/shared';
import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import {
  AddCard,
  cardHeight,
  CardMenu,
  cardsPerLine,
  CardTick,
  CardTiles,
  NoRows,
  RowCard,
  SelectionBar,
  useCardCommands,
  useCardFields,
  useCardSelection,
  useLongList,
  type CardMenuRequest,
  type CardRows,
} from '@trellis/sdk/web/cards';
import { rowRights } from '@trellis/sdk/web/rows';
import { ErrorNotice, pageLanguage } from '@trellis/sdk/web/ui';
import { useRowColors, useShownViewOptions, type ViewColumn } from '@trellis/sdk/web/views';
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react';
import type { GalleryOptions } from '../shared/index.ts';
import { gap, sizes } from './gallery-sizes.ts';
import { useGalleryKeys } from './use-gallery-keys.ts';

interface GalleryProps extends ViewProps {
  readonly of: CardRows;
  readonly inView: readonly ViewColumn[];
  /** See `useAutomaticCover`. */
  readonly figures: readonly AggregationOf[];
}

/** A view's rows as cards. */
export function Gallery(props: GalleryProps): ReactNode {
  const { table, view, of, inView, figures } = props;
  const { rows, columns, isArranged } = of;
  const { source } = rows;
  const { t } = useHost();
  useSyncExternalStore(source.subscribe, () => source.version);
  useSyncExternalStore(rows.figures.subscribe, () => rows.figures.version);
  const options = useShownViewOptions(props) as GalleryOptions;
  const colors = useRowColors(props);
  // An automatically chosen cover takes no space while no row has a picture.
  const isBare = figures.some((figure) => Number(rows.figures.total(figure) ?? Number.NaN) === 0);
  const card = useCardFields(columns, inView, { coverId: isBare ? '' : options.coverId });
  const { width, coverHeight } = sizes[options.cardSize];
  const look = { ...options, coverHeight };
  const height = cardHeight(card, look);
  const count = source.count ?? source.atLeast;
  const list = useLongList({
    count,
    lineHeight: height + gap,
    perLine: (space) => cardsPerLine(space, { width, gap }),
  });

  const home = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<CardMenuRequest>();
  const [isAdding, setAdding] = useState(false);
  const selection = useCardSelection();
  const rights = rowRights(props.project, table);
  // Readers have no actions for selected cards.
  const maySelect = !props.readOnly && (rights.delete || rights.addMany);
  const keys = useGalleryKeys({
    source,
    list,
    count,
    onNew: () => setAdding(true),
    onMenu: setMenu,
    selection: maySelect ? selection : undefined,
  });
  const commands = useCardCommands(props, {
    rows,
    isArranged,
    selection,
    focus: (key: RowKey) => keys.focus(source.indexOf(key) ?? keys.current),
  });
  const { add } = commands;
  const isEmpty = source.count === 0 && source.error === undefined;
  const meant =
    menu && selection.rows.has(menu.row.key) ? [...selection.rows.keys()] : menu ? [menu.row.key] : [];

  async function addAtTop(name: string): Promise<boolean> {
    const first = isArranged ? source.rowAt(0)?.key : undefined;
    const added = await add?.(name, {}, first === undefined ? undefined : { side: 'before', row: first });
    if (added) list.reveal(added.index);
    return added !== undefined;
  }

  return (
    <section
      ref={home}
      tabIndex={-1}
      className="gallery"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      {add && (
        <div className="gallery-bar">
          <AddCard
            label={t('New row')}
            text={t('New row')}
            isOpen={isAdding}
            onOpen={setAdding}
            onAdd={addAtTop}
          />
        </div>
      )}
      {source.error !== undefined && (
        <ErrorNotice message={messageOfError(source.error, t)} onRetry={() => source.retry()} />
      )}
      {isEmpty && <NoRows {...props} {...{ of, home }} />}

      <CardTiles
        {...{ source, list, height, gap }}
        label={t('Rows')}
        onKeyDown={keys.onKeyDown}
        card={(row, index) => (
          <RowCard
            {...colors.attributesOf(row)}
            row={row}
            card={card}
            look={look}
            tableColumns={columns}
            tabIndex={index === keys.current ? 0 : -1}
            data-selected={row !== undefined && selection.rows.has(row.key)}
            onFocus={() => keys.onFocus(index)}
            onClick={(event) => {
              if (row === undefined) return;
              if (maySelect && (event.ctrlKey || event.metaKey)) selection.toggle(row);
              else if (maySelect && event.shiftKey) selection.extend(source, index);
              else commands.open?.(row.key);
            }}
            onContextMenu={(event) => {
              event.preventDefault();
              if (row !== undefined) setMenu({ row, x: event.clientX, y: event.clientY });
            }}
            corner={
              maySelect &&
              row !== undefined && (
                <CardTick
                  index={index}
                  isSelected={selection.rows.has(row.key)}
                  onToggle={() => selection.toggle(row)}
                />
              )
            }
          />
        )}
      />
      <footer className="gallery-foot">
        <span aria-live="polite">
          {t('{{number}} rows', {
            number: source.total?.toLocaleString(pageLanguage()) ?? '…',
            count: source.total ?? 0,
            one: '{{number}} row',
          })}
        </span>
        <SelectionBar selection={selection} commands={commands} />
      </footer>
      {menu && (
        <CardMenu
          {...props}
          menu={menu}
          meant={meant}
          commands={commands}
          onClose={() => setMenu(undefined)}
        />
      )}
    </section>
  );
}
