import { useT } from '@trellis/sdk/web';
import type { useDraft } from './use-draft.ts';

/** Why a change was refused, and the ways on: mend it, send it again, or go back to what is saved. */
export function SaveProblem({
  draft,
}: {
  readonly draft: Pick<ReturnType<typeof useDraft>, 'problem' | 'shown' | 'discard'>;
}) {
  const t = useT();
  if (draft.problem === undefined) return null;
  return (
    <div className="tr-problem views-problem" role="alert">
      <span>
        {t('Not saved: {{reason}}', { reason: draft.problem })} {t('What you entered is still here.')}
      </span>
      <button type="button" className="tr-action" onClick={draft.discard}>
        {t('Back to what is saved')}
      </button>
    </div>
  );
}
