import { useDraggable, useDroppable, type DraggableSyntheticListeners } from '@dnd-kit/core';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { AddCard } from '@trellis/sdk/web/cards';
import { Notice, pageLanguage, type MenuAction } from '@trellis/sdk/web/ui';
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { StackCards, type StackCardsProps } from './StackCards.tsx';
import { StackHead } from './StackHead.tsx';
import type { Stack } from './stack-list.ts';

interface StackViewProps extends Omit<StackCardsProps, 'register'> {
  readonly stack: Stack;
  readonly column: ColumnEntity;
  readonly count: number | undefined;
  readonly figure: string | undefined;
  readonly actions: readonly MenuAction[];
  /** For a removed stack: the name of the stack that receives its new rows. */
  readonly goesTo: string | undefined;
  readonly isOver: boolean;
  readonly isAdding: boolean;
  /** Called with whether the stack contains the name of a row that is not added yet. */
  onHolding(this: void, isHolding: boolean): void;
  /** Undefined if rows cannot be added. */
  readonly onAdd: ((name: string) => Promise<boolean>) | undefined;
  onAdding(this: void, isAdding: boolean): void;
  onExpand(this: void): void;
  readonly onEdit:
    ((patch: { readonly title?: string; readonly color?: string }) => Promise<boolean>) | undefined;
  register(this: void, stackId: string, placeOf: ((y: number) => number) | undefined): void;
}

type Listener = (event: SyntheticEvent<HTMLElement>) => void;

/**
 * Limits listeners to events within their element: React also passes on events of its menus and panels, which are elsewhere in the
 * page.
 */
function inside(listeners: DraggableSyntheticListeners): Readonly<Record<string, Listener>> {
  const all = (listeners ?? {}) as Readonly<Record<string, Listener>>;
  return Object.fromEntries(
    Object.entries(all).map(([name, listen]): readonly [string, Listener] => [
      name,
      (event) => {
        if (event.currentTarget.contains(event.target as Node)) listen(event);
      },
    ]),
  );
}

/** A stack: its head, its cards while it is near the visible part, and a field for a new row. */
export function StackView(props: StackViewProps): ReactNode {
  const {
    stack,
    title,
    column,
    count,
    figure,
    actions,
    goesTo,
    isOver,
    isAdding,
    onAdd,
    onAdding,
    onHolding,
    onExpand,
    onEdit,
  } = props;
  const t = useT();
  const element = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [stack.collapsed]);
  const isGone = goesTo !== undefined;
  const { setNodeRef } = useDroppable({ id: stack.id, disabled: isGone });
  const { setNodeRef: setHead, listeners } = useDraggable({
    id: `stack ${stack.id}`,
    data: { kind: 'stack', stack },
    disabled: isGone,
  });
  const hold = (node: HTMLElement | null): void => {
    element.current = node;
    setNodeRef(node);
  };

  if (stack.collapsed === true)
    return (
      <section ref={hold} className="kanban-stack is-collapsed" aria-label={title} data-over={isOver}>
        <button type="button" aria-expanded={false} onClick={onExpand}>
          <span className="kanban-count">{count?.toLocaleString(pageLanguage()) ?? '…'}</span>{' '}
          <span className="kanban-upright">{title}</span>
        </button>
      </section>
    );
  return (
    <section ref={hold} className="kanban-stack" aria-label={title} data-over={isOver}>
      <div ref={setHead} {...inside(listeners)}>
        <StackHead {...{ stack, column, title, count, figure, actions, onEdit }} />
      </div>
      {onAdd && (
        <div className="kanban-new">
          <AddCard
            label={t('New row in {{title}}', { title: goesTo ?? title })}
            text={t('New row')}
            buttonClass="kanban-add"
            isOpen={isAdding}
            onOpen={onAdding}
            onAdd={onAdd}
            onHolding={onHolding}
          />
        </div>
      )}
      {isGone && (
        <Notice severity="info">
          {t('Somebody has deleted this stack. A row that is added here stands in “{{title}}”.', {
            title: goesTo,
          })}
        </Notice>
      )}
      {isGone ? null : isNear ? (
        <StackCards {...props} register={(placeOf) => props.register(stack.id, placeOf)} />
      ) : (
        <div className="kanban-box" aria-busy="true" />
      )}
    </section>
  );
}
