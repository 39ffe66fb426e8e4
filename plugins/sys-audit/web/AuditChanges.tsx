import { useRegistry, useT } from '@trellis/sdk/web';
import { projectRoles } from '@trellis/sdk/shared';
import { useState } from 'react';
import type { AuditChangeEntity } from '../shared/index.ts';

/** Number of changes in a line before the others are requested. */
const shownAtOnce = 3;

/** The former and the new values. */
export function AuditChanges({ changes }: { readonly changes: readonly AuditChangeEntity[] }) {
  const t = useT();
  const [isWhole, setWhole] = useState(false);
  if (changes.length === 0) return null;
  const shown = isWhole ? changes : changes.slice(0, shownAtOnce);
  const others = changes.length - shown.length;
  return (
    <ul className="audit-changes" aria-label={t('What changed')}>
      {shown.map((change) => (
        <Change key={change.what} change={change} />
      ))}
      {others > 0 && (
        <li>
          <button type="button" className="tr-link" onClick={() => setWhole(true)}>
            {t('{{count}} more', { count: others, one: 'One more' })}
          </button>
        </li>
      )}
    </ul>
  );
}

function Change({ change: { what, is_word: isWord, from, to } }: { readonly change: AuditChangeEntity }) {
  const t = useT();
  const types = [...useRegistry('viewTypes'), ...useRegistry('columnTypes')];

  function value(text: string): string {
    if (!isWord) return text;
    const type = what === 'Type' ? types.find(({ id }) => id === text) : undefined;
    if (type !== undefined) return t(type.label);
    return projectRoles.some((role) => role === text) ? t(text) : text;
  }

  return (
    <li>
      <span className="audit-change-of">{isWord ? t(what) : what}</span>
      {from !== null && <del title={from}>{value(from)}</del>}
      {from !== null && to !== null && <i className="pi pi-arrow-right" aria-hidden="true" />}
      {to !== null && <ins title={to}>{value(to)}</ins>}
    </li>
  );
}
