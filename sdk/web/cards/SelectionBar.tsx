import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import type { CardCommands } from './card-commands.ts';
import type { CardSelection } from './use-card-selection.ts';

/** The props of the bar for selected cards. @public */
export interface SelectionBarProps {
  readonly selection: CardSelection;
  readonly commands: Pick<CardCommands, 'delete'>;
  /** Content of the view, such as a menu for moving the cards. */
  readonly children?: ReactNode;
}

/** Shows the number of selected cards and the actions for them; nothing if there are none. @public */
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
