import { askBeforeLeaving, useT, useTypedText } from '@trellis/sdk/web';
import { createContext, useCallback, useContext, useEffect, useId, useState } from 'react';

/** Reports that a text is typed and unsaved; returns how to end that. */
export const HoldTextContext = createContext<() => () => void>(() => () => undefined);

interface OptionTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'number' | 'url' | 'date' | 'datetime-local';
  readonly isLong?: boolean;
  readonly maxLength?: number;
  readonly hint?: string;
  /** Shown while the field is empty. */
  readonly placeholder?: string;
  /**
   * Called when the person leaves the field with a changed text. Resolves to whether it was accepted; if not, it stays in the
   * field.
   */
  onSave(this: void, value: string): Promise<boolean>;
}

/** Keeps a text as it was typed. */
export const asItIs = (text: string): string => text;

/** A text of a form's settings, which is saved when its field is left. */
export function OptionText(props: OptionTextProps) {
  const { label, value, type = 'text', isLong = false, hint, maxLength, placeholder, onSave } = props;
  const typed = useTypedText(value, onSave, asItIs);
  const { isNew, isRefused } = typed;
  const hold = useContext(HoldTextContext);
  const id = useId();
  // Navigating within the page leaves the field, which saves it; but a refused text would be lost.
  useEffect(
    () => (isNew ? askBeforeLeaving(undefined, isRefused ? 'place' : 'page') : undefined),
    [isNew, isRefused],
  );
  useEffect(() => (isNew ? hold() : undefined), [isNew, hold]);
  const shared = {
    id,
    className: 'p-inputtext p-component',
    dir: 'auto',
    value: typed.text,
    maxLength,
    placeholder,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onChange: (event: { readonly target: { readonly value: string } }) => typed.type(event.target.value),
    onBlur: typed.save,
  };
  return (
    <div className="tr-field">
      <label htmlFor={id}>{label}</label>
      {isLong ? <textarea {...shared} rows={3} /> : <input {...shared} type={type} />}
      {hint !== undefined && (
        <small id={`${id}-hint`} className="tr-note">
          {hint}
        </small>
      )}
    </div>
  );
}

interface DependentTextProps extends OptionTextProps {
  /** Whether the setting that the text depends on is set. */
  readonly isNeeded: boolean;
}

/** A text that depends on another setting: if somebody removes that setting, the field stays until its text is saved. */
export function DependentText({ isNeeded, hint, ...of }: DependentTextProps) {
  const t = useT();
  const holdOutside = useContext(HoldTextContext);
  const [isHeld, setHeld] = useState(false);
  const hold = useCallback(() => {
    const end = holdOutside();
    setHeld(true);
    return () => {
      end();
      setHeld(false);
    };
  }, [holdOutside]);
  if (!isNeeded && !isHeld) return null;
  const note = isNeeded ? hint : t('Somebody has taken away meanwhile what this text is for.');
  return (
    <HoldTextContext value={hold}>
      <OptionText {...of} {...(note !== undefined && { hint: note })} />
    </HoldTextContext>
  );
}
