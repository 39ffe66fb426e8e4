import { InputText } from 'primereact/inputtext';
import { type FormEvent, type ReactNode, useId } from 'react';
import { useT } from '../host.tsx';

/** A form with its buttons. @public */
export interface FormProps {
  readonly children: ReactNode;
  readonly submitLabel: string;
  /** What the button says while it works. Default: the same with a spinner. */
  readonly busyLabel?: string;
  readonly isBusy: boolean;
  readonly canSubmit?: boolean;
  /** What went wrong; nothing typed is lost. */
  readonly problem?: string | undefined;
  /** Beside the buttons, at the start of their line. */
  readonly aside?: ReactNode;
  onSubmit(this: void): void;
  onCancel(this: void): void;
}

/**
 * Fields, the problem, and two buttons. The buttons are never disabled while the form works, because a disabled button loses the
 * focus and the keys with it; they only do nothing.
 *
 * @public
 */
export function Form(props: FormProps): ReactNode {
  const t = useT();
  const { isBusy, canSubmit = true } = props;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy && canSubmit) props.onSubmit();
  }
  return (
    <form className="tr-form" noValidate aria-busy={isBusy} onSubmit={submit}>
      {props.children}
      {props.problem !== undefined && (
        <p className="tr-problem" role="alert">
          {props.problem}
        </p>
      )}
      <div className="tr-form-actions">
        {props.aside}
        <span className="tr-gap" />
        <button
          type="button"
          className="tr-button"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) props.onCancel();
          }}
        >
          {t('Cancel')}
        </button>
        <button type="submit" className="tr-button tr-button--primary" aria-disabled={isBusy || !canSubmit}>
          {isBusy && <i className="pi pi-spin pi-spinner" aria-hidden="true" />}
          {isBusy ? (props.busyLabel ?? props.submitLabel) : props.submitLabel}
        </button>
      </div>
    </form>
  );
}

/** A line of text with its name. @public */
export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  /** Selects the whole text when the field gets the focus. */
  readonly selectOnFocus?: boolean;
  readonly maxLength?: number;
  /** What is wrong with it, below it. */
  readonly problem?: string | undefined;
  /** What it is for, below it. */
  readonly hint?: string;
  onChange(this: void, value: string): void;
}

/** A labelled input with its hint and its problem below. @public */
export function TextField(props: TextFieldProps): ReactNode {
  const id = useId();
  const note = props.problem ?? props.hint;
  return (
    <div className="tr-field">
      <label htmlFor={id}>{props.label}</label>
      <InputText
        id={id}
        value={props.value}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        autoFocus={props.autoFocus}
        aria-invalid={props.problem !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onFocus={(event) => {
          if (props.selectOnFocus === true) event.currentTarget.select();
        }}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {note !== undefined && (
        <small id={`${id}-note`} className={props.problem === undefined ? 'tr-note' : 'tr-field-problem'}>
          {note}
        </small>
      )}
    </div>
  );
}
