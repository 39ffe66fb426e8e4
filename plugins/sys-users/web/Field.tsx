import { useT } from '@trellis/sdk/web';
import { useId, useState } from 'react';

/** A labelled input with its message below; passwords can be shown. */
export function Field(props: {
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly value: string;
  readonly autoComplete: string;
  readonly problem?: string;
  readonly autoFocus?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const t = useT();
  const id = useId();
  const [shown, setShown] = useState(false);
  const isPassword = props.type === 'password';
  return (
    <div className="auth-field">
      <label htmlFor={id}>{props.label}</label>
      <div className="auth-input">
        <input
          id={id}
          className="p-inputtext p-component"
          type={isPassword && shown ? 'text' : props.type}
          value={props.value}
          autoComplete={props.autoComplete}
          autoFocus={props.autoFocus}
          aria-invalid={props.problem !== undefined}
          aria-describedby={props.problem ? `${id}-problem` : undefined}
          onChange={(event) => props.onChange(event.target.value)}
        />
        {isPassword && (
          <button
            type="button"
            aria-label={shown ? t('Hide password') : t('Show password')}
            onClick={() => setShown(!shown)}
          >
            <i className={shown ? 'pi pi-eye-slash' : 'pi pi-eye'} aria-hidden="true" />
          </button>
        )}
      </div>
      {props.problem && (
        <small id={`${id}-problem`} className="auth-field-problem">
          {props.problem}
        </small>
      )}
    </div>
  );
}
