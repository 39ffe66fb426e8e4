import { useT } from '@trellis/sdk/web';
import type { useDraft } from './use-draft.ts';

/** Why a change was refused, and the ways on: mend it, save it over what somebody else did, or go back to what is saved. */
export function SaveProblem({
  draft,
}: {
  readonly draft: Pick<ReturnType<typeof useDraft>, 'problem' | 'insist' | 'discard'>;
}) {
  const t = useT();
  if (draft.problem === undefined) return null;
  return (
    <div className="tr-problem views-problem" role="alert">
      <span>
        {t('Not saved: {{reason}}', { reason: draft.problem })} {t('What you entered is still here.')}
      </span>
      <button type="button" className="tr-action" onClick={draft.discard}>
        {draft.insist === undefined ? t('Back to what is saved') : t('Take theirs')}
      </button>
      {draft.insist !== undefined && (
        <button type="button" className="tr-action" onClick={() => void draft.insist?.()}>
          {t('Save mine')}
        </button>
      )}
    </div>
  );
}
