import { useSharedT } from '../host.tsx';
import { Notice } from './Notice.tsx';

/** What was refused, and the ways on. @public */
export interface RefusedDraft {
  readonly problem: string | undefined;
  /** Saves it in the place of what somebody else saved; undefined while nobody did. */
  readonly insist: (() => unknown) | undefined;
  discard(this: void): void;
}

/** Why a change was refused, and the ways on: mend it, save it over what somebody else did, or go back to what is saved. @public */
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
