import { useSharedT } from '../host.tsx';
import { Notice } from './Notice.tsx';

/** A refused change, with the ways to continue. @public */
export interface RefusedDraft {
  readonly problem: string | undefined;
  /** Overwrites what somebody else saved; undefined if nobody did. */
  readonly insist: (() => unknown) | undefined;
  discard(this: void): void;
}

/**
 * Why a change was refused, and the ways to continue: correct it, overwrite the other person's change, or return to the saved
 * state. @public
 */
export function SaveProblem({ draft }: { readonly draft: RefusedDraft }) {
  const t = useSharedT();
  const { problem, insist, discard } = draft;
  if (problem === undefined) return null;
  return (
    <Notice
      severity="error"
      actions={[
        { label: insist === undefined ? t('Back to what is saved') : t('Take theirs'), run: discard },
        ...(insist === undefined ? [] : [{ label: t('Save mine'), run: () => void insist() }]),
      ]}
    >
      {t('Not saved: {{reason}}', { reason: problem })} {t('What you entered is still here.')}
    </Notice>
  );
}
