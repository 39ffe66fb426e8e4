import { useT } from '@trellis/sdk/web';
import { useKeptFocus } from '@trellis/sdk/web/ui';

interface ChosenRowsProps {
  /** Each with a key that the caller defines and the row's name. */
  readonly rows: readonly { readonly key: string; readonly name: string }[];
  readonly onRemove: (key: string) => void;
  /** Gets the focus when no row is left. */
  readonly instead?: () => HTMLElement | null | undefined;
}

/** The chosen rows, each with a button that removes it. */
export function ChosenRows({ rows, onRemove, instead }: ChosenRowsProps) {
  const t = useT();
  const { list, pressed } = useKeptFocus(instead);
  return (
    <ul ref={list} className="cr-chosen">
      {rows.map(({ key, name }, index) => (
        <li key={key} className="cr-chip">
          <span dir="auto">{name || '—'}</span>
          <button
            type="button"
            data-entry-action
            aria-label={t('Take {{row}} away', { row: name })}
            onClick={() => {
              pressed(index);
              onRemove(key);
            }}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
