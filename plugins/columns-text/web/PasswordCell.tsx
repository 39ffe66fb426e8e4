import { useT, type CellProps } from '@trellis/sdk/web';
import { useState } from 'react';

/** A fixed number of dots, so that they do not reveal the text's length. */
const cover = '••••••••';

/** A hidden text, and a button that shows it while the cell is selected. */
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
