import { useSharedT } from '../host.tsx';
import { Notice } from '../ui/index.ts';
import type { useDraft } from './use-draft.ts';

/** Why a change was refused, and the ways on: mend it, save it over what somebody else did, or go back to what is saved. @public */
export function SaveProblem({
  draft,
}: {
  readonly draft: Pick<ReturnType<typeof useDraft>, 'problem' | 'insist' | 'discard'>;
}) {
  const t = useSharedT();
  if (draft.problem === undefined) return null;
  return (
    <Notice
      severity="error"
      actions={[
        {
          label: draft.insist === undefined ? t('Back to what is saved') : t('Take theirs'),
          run: draft.discard,
        },
        ...(draft.insist === undefined ? [] : [{ label: t('Save mine'), run: draft.insist }]),
      ]}
    >
      {t('Not saved: {{reason}}', { reason: draft.problem })} {t('What you entered is still here.')}
    </Notice>
  );
}
