import { useT, type CellProps } from '@trellis/sdk/web';
import { useState } from 'react';

/** Always as many, so that they do not tell how long the text is. */
const cover = '••••••••';

/** A covered text, and the eye that uncovers it for as long as the cell is selected. */
export function PasswordCell({ value, selected }: CellProps<string>) {
  const t = useT();
  const [isAsked, setAsked] = useState(false);
  if (!selected && isAsked) setAsked(false);
  const isShown = selected && isAsked;
  if (value === null || value === '') return null;
  return (
    <span className={selected ? 'ct-link ct-link--selected' : 'ct-link'}>
      <span className="tr-cell">{isShown ? value : cover}</span>
      {selected && (
        <button
          type="button"
          className="ct-open"
          tabIndex={-1}
          aria-pressed={isShown}
          aria-label={isShown ? t('Cover') : t('Show')}
          onClick={() => setAsked(!isAsked)}
        >
          <i className={isShown ? 'pi pi-eye-slash' : 'pi pi-eye'} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
