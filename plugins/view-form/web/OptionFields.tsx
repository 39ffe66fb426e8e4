import { askBeforeLeaving } from '@trellis/sdk/web';
import { useEffect, useId, useState } from 'react';

interface OptionTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'number' | 'url' | 'date' | 'datetime-local';
  readonly isLong?: boolean;
  readonly maxLength?: number;
  readonly hint?: string;
  /** What stands there as long as the field is empty. */
  readonly placeholder?: string;
  /** Called when the person leaves the field with another text. Resolves with whether it was taken: else it stays in the field. */
  onSave(this: void, value: string): Promise<boolean>;
}

/** A text of a form's settings, saved when its field is left. */
export function OptionText(props: OptionTextProps) {
  const { label, value, type = 'text', isLong = false, hint, maxLength, placeholder, onSave } = props;
  const [typed, setTyped] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const id = useId();
  const isTyped = typed !== undefined && typed !== value;
  // Going elsewhere in the page leaves the field, which saves it; what was refused would be lost there, too.
  useEffect(
    () => (isTyped ? askBeforeLeaving(undefined, isRefused ? 'place' : 'page') : undefined),
    [isTyped, isRefused],
  );
  const shared = {
    id,
    className: 'p-inputtext p-component',
    dir: 'auto',
    value: typed ?? value,
    maxLength,
    placeholder,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setTyped(event.target.value);
      setRefused(false);
    },
    onBlur: () => {
      if (typed === undefined) return;
      const forget = () => setTyped((now) => (now === typed ? undefined : now));
      if (typed === value) forget();
      else void onSave(typed).then((isTaken) => (isTaken ? forget() : setRefused(true)));
    },
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
