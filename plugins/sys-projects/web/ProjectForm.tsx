import { useT } from '@trellis/sdk/web';
import type { FormEvent, ReactNode } from 'react';

/** The frame of a form about one project, new or renamed: fields, the problem, the two buttons. */
export function ProjectForm(props: {
  readonly children: ReactNode;
  readonly problem: string | undefined;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly canSubmit?: boolean;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onCancel: () => void;
}) {
  const t = useT();
  return (
    <form className="projects-form" onSubmit={props.onSubmit}>
      {props.children}
      {props.problem !== undefined && (
        <p className="projects-problem" role="alert">
          {props.problem}
        </p>
      )}
      <div className="projects-form-actions">
        <button type="button" className="tr-button" onClick={props.onCancel} disabled={props.isBusy}>
          {t('Cancel')}
        </button>
        <button
          type="submit"
          className="tr-button tr-button--primary"
          disabled={props.isBusy || props.canSubmit === false}
        >
          {props.isBusy && <i className="pi pi-spin pi-spinner" aria-hidden="true" />}
          {props.submitLabel}
        </button>
      </div>
    </form>
  );
}
