import type { CellValue } from '@trellis/sdk/shared';
import type { CellProps } from '@trellis/sdk/web';
import { textOf } from '../shared/index.ts';

/** Looked-up values: a list as quiet chips, a single one as text. */
export function LookupCell({ value }: CellProps) {
  if (!Array.isArray(value)) return <span className="cr-text">{textOf(value)}</span>;
  const values = value as readonly CellValue[];
  return (
    <span className="cr-chips">
      {values.slice(0, 8).map((one, index) => (
        <span key={index} className="cr-chip cr-chip--quiet">
          {textOf(one) || '—'}
        </span>
      ))}
      {values.length > 8 && <span className="cr-more">+{values.length - 8}</span>}
    </span>
  );
}
