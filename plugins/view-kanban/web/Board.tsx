import { DndContext, DragOverlay } from '@dnd-kit/core';
import type { AggregationOf, ColumnEntity } from '@trellis/sdk/shared';
import {
  hasPermission,
  messageOfError,
  readTyped,
  useHost,
  useRegistry,
  VisitedViewContext,
  type ViewProps,
} from '@trellis/sdk/web';
import {
  cardHeight,
  CardMenu,
  NoRows,
  RowCard,
  SelectionBar,
  useCardCommands,
  useCardFields,
  useCardSelection,
  type CardMenuRequest,
  type CardRows,
} from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';
import { ErrorNotice, MenuButton, Notice, pageLanguage } from '@trellis/sdk/web/ui';
import { useRowColors, useViewOptions, type ViewColumn } from '@trellis/sdk/web/views';
import { type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { uncategorized, type KanbanOptions } from '../shared/index.ts';
import { NewStack } from './NewStack.tsx';
import { StackView } from './StackView.tsx';
import { reachable } from './reachable.ts';
import { stacksOf, type Stack } from './stack-list.ts';
import { useArrangedStacks } from './use-arranged-stacks.ts';
import { useBoardKeys } from './use-board-keys.ts';
import { useCardMoves } from './use-card-moves.ts';
import { useCardDrag, type DropPlace } from './use-card-drag.ts';
import { useHeldStacks, withHeld } from './use-held-stacks.ts';
import { useStackMenu } from './use-stack-menu.ts';
import { useStackOptions } from './use-stack-options.ts';
import { useStackWords } from './use-stack-words.ts';

interface BoardProps extends ViewProps {
  readonly column: ColumnEntity;
  readonly of: CardRows;
  readonly inView: readonly ViewColumn[];
  readonly figures: readonly AggregationOf[];
  /** Whether the view is now stacked by another column, which is shown when no unsaved name is left here. */
  readonly isFormer: boolean;
  /** Called with whether the board contains names of rows that are not added yet. */
  onHolding(this: void, isHolding: boolean): void;
}

/** The board announces drags itself, in the page's language. */
const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** A view's stacks next to each other. */
export function Board(props: BoardProps): ReactNode {
  const { project, table, view, readOnly, column, of, inView, figures } = props;
  const { rows, columns, isArranged } = of;
  const host = useHost();
  const { t } = host;
  const types = useRegistry('columnTypes');
  const type = types.find(({ id }) => id === column.uidt);
  useSyncExternalStore(rows.figures.subscribe, () => rows.figures.version);
  useSyncExternalStore(rows.stacks.subscribe, () => rows.stacks.version);
  useEffect(() => rows.stacks.count(), [rows]);
  const options = useViewOptions(view) as KanbanOptions;
  const { groups, error } = rows.figures;
  const { places, saved, arrange } = useArrangedStacks(props, column);
  // If rows without a value exist, their stack comes first, because they are to be sorted; otherwise it is last. The place does not
  // change afterwards.
  const [withoutPlace, setWithoutPlace] = useState<'first' | 'last'>();
  if (withoutPlace === undefined && groups !== undefined)
    setWithoutPlace(rows.figures.countOf(null) > 0 ? 'first' : 'last');
  const all = stacksOf({ column, stacks: type?.stacks }, places, groups, withoutPlace ?? 'last');
  // The stack is drawn only when its place is known: otherwise it would jump, and a rearrangement meanwhile would save a wrong
  // place for everybody.
  const isPlaced =
    withoutPlace !== undefined || error !== undefined || places.some(({ id }) => id === uncategorized);
  const stacks = isPlaced ? all : all.filter(({ value }) => value !== null);
  const choices = useStackOptions(column);
  // Visitors cannot show stacks that the view hides, but can show again those that they hide themselves.
  const isVisited = useContext(VisitedViewContext) !== undefined;
  const canComeBack = ({ id }: Stack) =>
    !isVisited || !saved.some((of) => of.id === id && of.hidden === true);
  const colors = useRowColors(props);
  const card = useCardFields(columns, inView, { coverId: options.coverId, without: column.id });
  const look = { ...options, coverHeight: 120 };
  const heightOf = (row?: RowData): number => cardHeight(card, look, row);
  const mayMove = !readOnly && hasPermission('dataUpdate', project) && column.generated !== true;
  const mayEdit = !readOnly && type?.stacks === 'options' && hasPermission('columnUpdate', project);

  const home = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<CardMenuRequest>();
  const [adding, setAdding] = useState<string>();
  const { held: unsaved, hold, free } = useHeldStacks(props.onHolding);
  const [current, setCurrent] = useState<DropPlace>();
  const [awaited, setAwaited] = useState<DropPlace>();
  const [said, setSaid] = useState('');

  const words = useStackWords({ rows, column, columns, figures });
  const { titleOf, countOf, figureOf } = words;
  // Readers do not need the empty stack of rows without a value, because they can put nothing there.
  const isIdle = (stack: Stack) =>
    stack.value === null && !mayMove && stacks.length > 1 && (countOf(stack) ?? 0) === 0;
  // If others collapse or hide a stack, it stays while a name is typed in it here.
  const visible = stacks.filter(
    (stack) => unsaved.has(stack.id) || (stack.hidden !== true && !isIdle(stack)),
  );
  const drawn = withHeld(visible, stacks, unsaved);
  /** Whether the list of options no longer contains the stack's value. */
  const isGone = ({ id }: Stack) => type?.stacks === 'options' && !stacks.some((stack) => stack.id === id);
  const uncategorizedTitle = titleOf({ id: uncategorized, value: null });
  const menus = useStackMenu({ stacks, visible, unsaved, arrange });
  const stackById = (id: string) => stacks.find((stack) => stack.id === id);

  const selection = useCardSelection();
  const moves = useCardMoves({
    rows,
    selection,
    columnId: column.id,
    stacks: visible,
    isArranged,
    mayMove,
    words,
    onMoved: (place) => current !== undefined && setAwaited(place),
  });
  const { meantBy } = moves;
  const drag = useCardDrag({
    onDropCard: (row, place) => void moves.drop(row, place),
    onDropStack: (stack, onto) => menus.move(stack.id, onto),
  });
  const open = visible.filter(({ id, collapsed }) => unsaved.has(id) || collapsed !== true);
  const keys = useBoardKeys({
    stacks: open.map((stack) => ({ id: stack.id, title: titleOf(stack), count: countOf(stack) ?? 0 })),
    mayMove,
    meantBy,
    focus: setAwaited,
    onNew: setAdding,
    onSelect: (row, { stackId, index }, upTo) => {
      const stack = stackById(stackId);
      if (!maySelect) return;
      if (upTo && stack) selection.extend(rows.stacks.of(stack.value), index);
      else selection.toggle(row);
    },
    onClear: selection.clear,
    onDrop: moves.drop,
    say: setSaid,
  });
  const commands = useCardCommands(props, {
    rows,
    isArranged,
    selection,
    focus: (key) => {
      const held = rows.stacks.holding(key);
      const stack = stacks.find(({ value }) => value === held?.value);
      const index = held?.window.indexOf(key);
      if (stack && index !== undefined) setAwaited({ stackId: stack.id, index });
    },
  });
  const maySelect = mayMove || commands.delete !== undefined;
  const first = reachable(
    current,
    open.map((stack) => ({ id: stack.id, count: countOf(stack) ?? 0 })),
  );
  const dragged = drag.dragged?.kind === 'card' ? meantBy(drag.dragged.row) : [];
  const held = keys.lifted === undefined ? dragged : meantBy(keys.lifted);
  const moving = new Set(held.map(({ key }) => key));
  const target = keys.target ?? (drag.dragged?.kind === 'card' ? drag.drop : undefined);
  const isEmpty =
    error === undefined && groups !== undefined && stacks.every((stack) => countOf(stack) === 0);
  const isFull = isPlaced && (stacks.length > 1 || groups !== undefined);

  const addTo = (stack: Stack) =>
    commands.add &&
    (async (name: string): Promise<boolean> => {
      const value = isGone(stack) ? null : stack.value;
      const top = isArranged ? rows.stacks.of(value).rowAt(0)?.key : undefined;
      const values = value === null ? {} : { [column.id]: value };
      const added = await commands.add?.(
        name,
        values,
        top === undefined ? undefined : { side: 'before', row: top },
      );
      return added !== undefined;
    });

  /** Adds a stack for a value of a column without a list of options. */
  const addValue = async (text: string): Promise<boolean> => {
    const read = readTyped(text, column, type, t);
    if (!read.ok || typeof read.value !== 'string') {
      const { title } = column;
      const summary = read.ok ? t('“{{title}}” must not be empty.', { title }) : read.message;
      host.toast({ severity: 'error', summary });
      return false;
    }
    // An existing stack is shown again if it was hidden.
    if (stackById(read.value)) menus.show(read.value);
    else await arrange([...stacks, { id: read.value }]);
    return true;
  };

  return (
    <section
      ref={home}
      tabIndex={-1}
      className="kanban"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
      aria-busy={!isFull}
    >
      {error !== undefined && (
        <ErrorNotice message={messageOfError(error, t)} onRetry={() => rows.stacks.refresh()} />
      )}
      {props.isFormer && (
        <Notice severity="info">
          {t(
            'This board is stacked by another column now. It changes here once what is typed is added or taken away.',
          )}
        </Notice>
      )}
      {isEmpty && <NoRows {...props} {...{ of, home }} />}
      <DndContext
        {...drag.context}
        accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      >
        <div className="kanban-stacks" data-dragged={drag.dragged !== undefined}>
          {drawn.map((stack, at) => (
            <StackView
              key={stack.id}
              stack={unsaved.has(stack.id) ? { ...stack, collapsed: false } : stack}
              {...{ column, card, look, heightOf, columns, colors, mayMove }}
              title={titleOf(stack)}
              window={rows.stacks.of(stack.value)}
              count={countOf(stack)}
              figure={figureOf(stack)}
              actions={isGone(stack) ? [] : menus.actionsOf(stack)}
              goesTo={isGone(stack) ? uncategorizedTitle : undefined}
              isOver={target?.stackId === stack.id}
              mark={isArranged && target?.stackId === stack.id ? target.index : undefined}
              current={first?.stackId === stack.id ? first.index : undefined}
              awaited={awaited?.stackId === stack.id ? awaited.index : undefined}
              moving={moving}
              selection={maySelect ? selection : undefined}
              isAdding={adding === stack.id || unsaved.has(stack.id)}
              onAdding={(isAdding) => {
                setAdding(isAdding ? stack.id : undefined);
                if (!isAdding) free(stack.id);
              }}
              onHolding={(isHolding) => {
                if (isHolding) return hold(stack, at);
                free(stack.id);
                // A person who typed there continues in the stack that has the cards.
                if (isGone(stack)) setAdding((now) => (now === stack.id ? uncategorized : now));
              }}
              onAdd={addTo(stack)}
              onExpand={() => menus.expand(stack.id)}
              onEdit={
                mayEdit && stack.option && !isGone(stack)
                  ? (patch) => choices.edit(stack.id, patch)
                  : undefined
              }
              onFocused={(index) => {
                setAwaited(undefined);
                setCurrent({ stackId: stack.id, index });
              }}
              onBlur={keys.onBlur}
              onOpen={(row) => commands.open?.(row.key)}
              onMenu={setMenu}
              onKeyDown={(event, row, index) => keys.onKeyDown(event, row, { stackId: stack.id, index })}
              register={drag.register}
            />
          ))}
          <NewStack
            hidden={menus.hidden
              .filter(canComeBack)
              .map((stack) => ({ id: stack.id, title: titleOf(stack) }))}
            onShow={menus.show}
            onAdd={mayEdit ? choices.add : type?.stacks === 'values' && mayMove ? addValue : undefined}
          />
        </div>
        <DragOverlay dropAnimation={null}>
          {drag.dragged?.kind === 'card' && (
            <div className="kanban-dragged" style={{ height: heightOf(drag.dragged.row) }}>
              <RowCard row={drag.dragged.row} card={card} look={look} tableColumns={columns} />
              {dragged.length > 1 && (
                <span className="kanban-many">{dragged.length.toLocaleString(pageLanguage())}</span>
              )}
            </div>
          )}
          {drag.dragged?.kind === 'stack' && (
            <div className="kanban-dragged kanban-stack">{titleOf(drag.dragged.stack)}</div>
          )}
        </DragOverlay>
      </DndContext>
      {selection.rows.size > 0 && (
        <footer className="kanban-foot">
          <SelectionBar selection={selection} commands={commands}>
            <MenuButton
              label={t('Move to …')}
              actions={moves.actionsFor(moves.selected())}
              className="tr-button"
            >
              {t('Move to …')}
            </MenuButton>
          </SelectionBar>
        </footer>
      )}
      <div className="tr-unseen" role="status">
        {said}
      </div>
      {menu && (
        <CardMenu
          {...props}
          menu={menu}
          meant={meantBy(menu.row).map(({ key }) => key)}
          commands={commands}
          actions={moves.actionsFor(meantBy(menu.row)).slice(0, 20)}
          onClose={() => setMenu(undefined)}
        />
      )}
    </section>
  );
}
