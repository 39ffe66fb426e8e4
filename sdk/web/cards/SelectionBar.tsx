import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import type { CardCommands } from './card-commands.ts';
import type { CardSelection } from './use-card-selection.ts';

/** What can be done to the cards that are selected. @public */
export interface SelectionBarProps {
  readonly selection: CardSelection;
  readonly commands: Pick<CardCommands, 'delete'>;
  /** What the view has to add, such as a menu of where the cards can go. */
  readonly children?: ReactNode;
}

/** Says how many cards are selected, and offers what can be done to them; nothing while none is. @public */
export function SelectionBar({ selection, commands, children }: SelectionBarProps): ReactNode {
  const t = useSharedT();
  const { rows, clear } = selection;
  if (rows.size === 0) return null;
  const remove = commands.delete;
  return (
    <div className="tr-card-selection">
      <span role="status">{t('{{count}} rows selected', { count: rows.size, one: 'One row selected' })}</span>
      {children}
      {remove && (
        <button type="button" className="tr-button" onClick={() => void remove([...rows.keys()])}>
          {t('Delete')}
        </button>
      )}
      <button type="button" className="tr-button" onClick={clear}>
        {t('Clear selection')}
      </button>
    </div>
  );
}
