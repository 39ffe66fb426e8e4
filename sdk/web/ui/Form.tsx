import { type ChangeEvent, type FocusEvent, type FormEvent, type ReactNode, useId, useState } from 'react';
import { useSharedT } from '../host.tsx';
import type { SaveConflict } from '../use-save.ts';
import { useHeldOpen } from './held-open.ts';
import { Notice } from './Notice.tsx';
import { SaveProblem } from './SaveProblem.tsx';

/** The props of a form with its buttons. @public */
export interface FormProps {
  readonly children: ReactNode;
  readonly submitLabel: string;
  /** Colours the button of an action that cannot be undone. */
  readonly danger?: boolean;
  /** Whether the button has the focus at first. Default: no. */
  readonly beginsAtSubmit?: boolean;
  /** The button's text while it works. Default: the same with a spinner. */
  readonly busyLabel?: string;
  /** Whether it is working: a dialog around it cannot be closed meanwhile. */
  readonly isBusy: boolean;
  /** Whether the work was started by another button, which then shows that itself. Default: no. */
  readonly isBusyAside?: boolean;
  readonly canSubmit?: boolean;
  /** The error; the input is kept. */
  readonly problem?: string | undefined;
  /** Somebody else saved meanwhile (`useSave`): the person chooses between the two. */
  readonly conflict?: SaveConflict | undefined;
  /** A result that is no problem of saving: above the buttons, and visible in a form that is higher than the window. */
  readonly outcome?: ReactNode;
  /** Beside the buttons, at the start of their line. */
  readonly aside?: ReactNode;
  onSubmit(this: void): void;
  /** Default: Cancel. */
  readonly cancelLabel?: string | undefined;
  /** Without it there is no button to cancel. */
  onCancel?(this: void): void;
}

/**
 * Fields, the problem, and two buttons. The buttons are never disabled while the form works, because a disabled button loses the
 * focus; they only do nothing.
 *
 * @public
 */
export function Form(props: FormProps): ReactNode {
  const t = useSharedT();
  const {
    isBusy,
    isBusyAside = false,
    canSubmit = true,
    danger = false,
    problem,
    conflict,
    onCancel,
  } = props;
  useHeldOpen(isBusy);
  const isSubmitting = isBusy && !isBusyAside;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy && canSubmit) props.onSubmit();
  }
  function insist({ accept }: SaveConflict): void {
    accept();
    props.onSubmit();
  }
  return (
    <form className="tr-form" noValidate aria-busy={isBusy} onSubmit={submit}>
      {props.children}
      {/* Sticky in a dialog that is higher than the window. */}
      <div className="tr-form-foot">
        {conflict === undefined ? (
          problem !== undefined && <Notice severity="error">{problem}</Notice>
        ) : (
          <SaveProblem draft={{ problem, insist: () => insist(conflict), discard: conflict.takeTheirs }} />
        )}
        {props.outcome}
        <div className="tr-form-actions">
          {props.aside}
          <span className="tr-gap" />
          {onCancel !== undefined && (
            <button
              type="button"
              className="tr-button"
              aria-disabled={isBusy}
              onClick={() => {
                if (!isBusy) onCancel();
              }}
            >
              {props.cancelLabel ?? t('Cancel')}
            </button>
          )}
          <button
            type="submit"
            className={`tr-button tr-button--${danger ? 'danger' : 'primary'}`}
            aria-disabled={isBusy || !canSubmit}
            autoFocus={props.beginsAtSubmit === true}
          >
            {isSubmitting && <i className="pi pi-spin pi-spinner" aria-hidden="true" />}
            {isSubmitting ? (props.busyLabel ?? props.submitLabel) : props.submitLabel}
          </button>
        </div>
      </div>
    </form>
  );
}

/** The props of a labelled text field, with one line unless `lines` is set. @public */
export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  /** A password can be revealed by a button. Default `text`. */
  readonly type?: 'text' | 'email' | 'password';
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  /** Marked as required; the owner checks that it is not empty. */
  readonly required?: boolean;
  /** It can be read and copied, but not changed. */
  readonly readOnly?: boolean;
  /** Selects the whole text when the field gets the focus. */
  readonly selectOnFocus?: boolean;
  readonly maxLength?: number;
  /** The number of visible lines of a multi-line text: a single-line field drops line breaks. */
  readonly lines?: number;
  /** Its problem, below it. */
  readonly problem?: string | undefined;
  /** Its purpose, below it. */
  readonly hint?: string;
  onChange(this: void, value: string): void;
}

/**
 * A labelled input with its hint and its problem below. (It uses PrimeReact's class without its code, so that signing in need not
 * load it.) @public
 */
export function TextField(props: TextFieldProps): ReactNode {
  const t = useSharedT();
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { type = 'text' } = props;
  const note = props.problem ?? props.hint;
  const common = {
    id,
    className: 'p-inputtext p-component',
    value: props.value,
    autoComplete: props.autoComplete,
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    autoFocus: props.autoFocus,
    readOnly: props.readOnly,
    'aria-required': props.required,
    'aria-invalid': props.problem !== undefined,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (props.selectOnFocus === true) currentTarget.select();
    },
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      props.onChange(target.value),
  };
  return (
    <div className="tr-field">
      <label htmlFor={id}>
        {props.label}
        {props.required === true && (
          <span className="tr-form-required" aria-hidden="true">
            *
          </span>
        )}
      </label>
      <div className="tr-input">
        {props.lines === undefined ? (
          <input {...common} type={isShown ? 'text' : type} />
        ) : (
          <textarea {...common} rows={props.lines} data-hidden={type === 'password' && !isShown} />
        )}
        {type === 'password' && (
          <button
            type="button"
            className="tr-icon-button"
            aria-label={isShown ? t('Hide password') : t('Show password')}
            onClick={() => setShown(!isShown)}
          >
            <i className={isShown ? 'pi pi-eye-slash' : 'pi pi-eye'} aria-hidden="true" />
          </button>
        )}
      </div>
      {note !== undefined && (
        <small id={`${id}-note`} className={props.problem === undefined ? 'tr-note' : 'tr-field-problem'}>
          {note}
        </small>
      )}
    </div>
  );
}
