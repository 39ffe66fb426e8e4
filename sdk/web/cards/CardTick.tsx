import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';

/** The props of a card's checkbox. @public */
export interface CardTickProps {
  /** The index of the card, from 0. */
  readonly index: number;
  readonly isSelected: boolean;
  onToggle(this: void): void;
}

/**
 * Selects a card by a click or a tap: shown while the pointer or the focus is on the card, and always on devices without hover.
 * @public
 */
export function CardTick({ index, isSelected, onToggle }: CardTickProps): ReactNode {
  const t = useSharedT();
  return (
    <label className="tr-card-tick">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={t('Select row {{n}}', { n: index + 1 })}
        checked={isSelected}
        onChange={onToggle}
      />
    </label>
  );
}
