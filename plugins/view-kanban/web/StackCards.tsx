import { useDraggable } from '@dnd-kit/core';
import type { ColumnEntity, RowKey } from '@trellis/sdk/shared';
import { messageOfError, useHost } from '@trellis/sdk/web';
import {
  CardTick,
  RowCard,
  useLongList,
  type CardFields,
  type CardLook,
  type CardMenuRequest,
  type CardSelection,
} from '@trellis/sdk/web/cards';
import { ErrorNotice } from '@trellis/sdk/web/ui';
import type { RowData, RowWindow } from '@trellis/sdk/web/rows';
import type { ViewRowColors } from '@trellis/sdk/web/views';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { PlaceOf } from './use-card-drag.ts';

/** Pixels between cards. */
const gap = 8;

export interface StackCardsProps {
  readonly title: string;
  readonly window: RowWindow;
  readonly card: CardFields;
  readonly look: CardLook;
  /** The height of a row's card; without a row, of a card with every field filled. */
  heightOf(this: void, row?: RowData): number;
  readonly columns: readonly ColumnEntity[];
  readonly colors: ViewRowColors;
  readonly mayMove: boolean;
  /** The index of the line that shows where a card would be put. */
  readonly mark: number | undefined;
  /** The card that Tab reaches; undefined if it is in another stack. */
  readonly current: number | undefined;
  /** The card to focus when it is drawn. */
  readonly awaited: number | undefined;
  /** The keys of the dragged or lifted cards. */
  readonly moving: ReadonlySet<RowKey>;
  /** Undefined if there are no actions for several cards. */
  readonly selection: CardSelection | undefined;
  onFocused(this: void, index: number): void;
  onBlur(this: void): void;
  onOpen(this: void, row: RowData): void;
  onMenu(this: void, menu: CardMenuRequest): void;
  onKeyDown(this: void, event: KeyboardEvent<HTMLElement>, row: RowData | undefined, index: number): void;
  register(this: void, placeOf: PlaceOf | undefined): void;
}

/** The visible cards of a stack. */
export function StackCards(props: StackCardsProps): ReactNode {
  const { title, window, heightOf, mark, current, awaited, register, onFocused } = props;
  const { t } = useHost();
  useSyncExternalStore(window.subscribe, () => window.version);
  const count = window.count ?? window.atLeast;
  const list = useLongList({
    count,
    lineHeight: heightOf() + gap,
    heightOf: (index) => {
      const row = window.rowAt(index);
      return row && heightOf(row) + gap;
    },
  });
  const { start, end, box, topOf } = list;
  const isMeasured = list.width > 0;
  useEffect(() => {
    if (isMeasured) window.ensure(start, Math.max(end, start + 1));
  }, [window, start, end, isMeasured]);
  // Hidden rows are not read again when others change them.
  useEffect(() => () => window.ensureAll([]), [window]);

  const inner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    register((y) => {
      const top = inner.current?.getBoundingClientRect().top ?? 0;
      return list.gapAt(y - top);
    });
    return () => register(undefined);
  });

  useEffect(() => {
    if (awaited === undefined) return;
    list.reveal(awaited);
    const element = inner.current?.querySelector<HTMLElement>(`[data-index="${awaited}"] > .tr-card`);
    element?.focus({ preventScroll: true });
    if (element) onFocused(awaited);
  });

  return (
    <div className="kanban-box" ref={box} onScroll={list.onScroll}>
      {window.error !== undefined && (
        <ErrorNotice message={messageOfError(window.error, t)} onRetry={() => window.retry()} />
      )}
      <div
        className="kanban-cards"
        role="list"
        aria-label={t('Cards of {{title}}', { title })}
        ref={inner}
        style={{ height: list.spacerHeight }}
      >
        {mark !== undefined && <div className="kanban-mark" style={{ top: topOf(mark) - gap / 2 }} />}
        {Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at).map((index) => {
          const row = window.rowAt(index);
          return (
            <div
              className="kanban-place"
              role="listitem"
              aria-setsize={window.count ?? -1}
              aria-posinset={index + 1}
              key={row?.key ?? `#${index}`}
              data-index={index}
              style={{ top: topOf(index), height: list.heightOf(index) - gap }}
            >
              <StackCard {...props} row={row} index={index} isCurrent={index === current} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface StackCardProps extends StackCardsProps {
  readonly row: RowData | undefined;
  readonly index: number;
  readonly isCurrent: boolean;
}

/** A card that can be dragged, opened and operated by keys. */
function StackCard(props: StackCardProps): ReactNode {
  const {
    row,
    index,
    isCurrent,
    card,
    look,
    columns,
    colors,
    mayMove,
    moving,
    selection,
    window,
    onFocused,
    onBlur,
    onOpen,
    onMenu,
    onKeyDown,
  } = props;
  const isSelected = row !== undefined && selection?.rows.has(row.key) === true;
  const isMovable = mayMove && row !== undefined && row.readOnly !== true;
  const { setNodeRef, listeners } = useDraggable({
    id: `card ${row?.key ?? `${props.title} ${index}`}`,
    data: { kind: 'card', row, width: 280 },
    disabled: !isMovable,
  });
  return (
    <RowCard
      {...listeners}
      {...colors.attributesOf(row)}
      ref={setNodeRef}
      row={row}
      card={card}
      look={look}
      tableColumns={columns}
      tabIndex={isCurrent ? 0 : -1}
      className={row !== undefined && moving.has(row.key) ? 'is-moving' : ''}
      data-selected={isSelected}
      onFocus={() => onFocused(index)}
      onBlur={onBlur}
      onClick={(event) => {
        if (row === undefined) return;
        if (selection && (event.ctrlKey || event.metaKey)) selection.toggle(row);
        else if (selection && event.shiftKey) selection.extend(window, index);
        else onOpen(row);
      }}
      corner={
        row &&
        selection && <CardTick index={index} isSelected={isSelected} onToggle={() => selection.toggle(row)} />
      }
      onKeyDown={(event) => {
        const isMenu = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');
        if (!isMenu) return onKeyDown(event, row, index);
        const { left, top } = event.currentTarget.getBoundingClientRect();
        event.preventDefault();
        if (row) onMenu({ row, x: left + 12, y: top + 32 });
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        if (row) onMenu({ row, x: event.clientX, y: event.clientY });
      }}
    />
  );
}
