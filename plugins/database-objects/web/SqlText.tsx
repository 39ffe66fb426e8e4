import { useMemo } from 'react';
import { piecesOf } from './sql-words.ts';

/** Longer statements have no colours, because each coloured piece is an element of the page. */
const mostColoured = 100_000;

/** A statement, read-only. @param props.label its name for screen readers */
export function SqlText({ sql, label }: { readonly sql: string; readonly label: string }) {
  const pieces = useMemo(
    () => (sql.length > mostColoured ? [{ kind: 'plain' as const, text: sql }] : piecesOf(sql)),
    [sql],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
    <pre className="dbobjects-sql" role="region" aria-label={label} tabIndex={0} dir="ltr">
      <code>
        {pieces.map(({ kind, text }, at) =>
          kind === 'plain' ? (
            text
          ) : (
            <span key={at} className={`dbobjects-${kind}`}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}
