import { useId, useState } from 'react';

interface OptionTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'number' | 'url' | 'datetime-local';
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
  const id = useId();
  const shared = {
    id,
    className: 'p-inputtext p-component',
    dir: 'auto',
    value: typed ?? value,
    maxLength,
    placeholder,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onChange: (event: { readonly target: { readonly value: string } }) => setTyped(event.target.value),
    onBlur: () => {
      if (typed === undefined) return;
      const forget = () => setTyped((now) => (now === typed ? undefined : now));
      if (typed === value) forget();
      else void onSave(typed).then((isTaken) => isTaken && forget());
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
