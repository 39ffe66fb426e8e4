import { longestOptionTitle, type ColumnEntity } from '@trellis/sdk/shared';
import { columnContext, useRegistryItem, useT } from '@trellis/sdk/web';
import { ColorChoices, MenuButton, pageLanguage, Popover, type MenuAction } from '@trellis/sdk/web/ui';
import { type ReactNode, useState } from 'react';
import type { Stack } from './stack-list.ts';

interface StackHeadProps {
  readonly stack: Stack;
  readonly column: ColumnEntity;
  readonly title: string;
  /** Undefined while unknown. */
  readonly count: number | undefined;
  readonly figure: string | undefined;
  readonly actions: readonly MenuAction[];
  /** Resolves to whether the change was accepted. Undefined if the person may not change the stack. */
  onEdit?: ((patch: { readonly title?: string; readonly color?: string }) => Promise<boolean>) | undefined;
}

/** A stack's name as its column draws it, its number of cards, a summary, and its menu. */
export function StackHead(props: StackHeadProps): ReactNode {
  const { stack, column, title, count, figure, actions, onEdit } = props;
  const t = useT();
  const type = useRegistryItem('columnTypes', column.uidt);
  const [head, setHead] = useState<HTMLElement | null>(null);
  const [isEditing, setEditing] = useState(false);
  const edit: MenuAction = {
    id: 'edit',
    label: t('Name and colour'),
    icon: 'pencil',
    run: () => setEditing(true),
  };
  const menu = onEdit === undefined ? actions : [edit, ...actions];
  return (
    <div className="kanban-head" ref={setHead}>
      <span className="kanban-title">
        {stack.value === null || type?.Cell === undefined ? (
          <span className="kanban-none">{title}</span>
        ) : (
          <type.Cell
            value={stack.value}
            row={undefined}
            column={column}
            options={columnContext(column, type).options}
            selected={false}
          />
        )}
      </span>
      <span className="kanban-count" title={t('Rows')}>
        {count?.toLocaleString(pageLanguage()) ?? '…'}
      </span>
      {figure !== undefined && <span className="kanban-figure">{figure}</span>}
      {menu.length > 0 && <MenuButton label={t('Menu of the stack {{title}}', { title })} actions={menu} />}
      {isEditing && stack.option && onEdit && (
        <Popover
          label={t('Name and colour')}
          anchor={head ?? undefined}
          width={260}
          onClose={() => setEditing(false)}
        >
          <form
            className="kanban-edit"
            onSubmit={(event) => {
              event.preventDefault();
              const typed = new FormData(event.currentTarget).get('name');
              const name = typeof typed === 'string' ? typed.trim() : '';
              if (name === '' || name === title) return setEditing(false);
              // A refused name stays, so that it can be corrected.
              void onEdit({ title: name }).then((isTaken) => isTaken && setEditing(false));
            }}
          >
            <input
              className="p-inputtext p-component"
              name="name"
              defaultValue={title}
              maxLength={longestOptionTitle}
              aria-label={t('Name of the stack')}
              required
            />
            <ColorChoices
              label={t('Colour')}
              value={stack.option.color}
              onChange={(color) => void onEdit({ color })}
            />
            <button type="submit" className="tr-button tr-button--primary">
              {t('Save')}
            </button>
          </form>
        </Popover>
      )}
    </div>
  );
}
