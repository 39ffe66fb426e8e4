import type { CellValue } from '@trellis/sdk/shared';
import type { CellProps } from '@trellis/sdk/web';
import { columnContext } from '@trellis/sdk/web';
import { lookup } from '../shared/index.ts';
import type { writtenAs } from './written-as.ts';

/** Draws looked-up values: a list as plain chips, a single value as text. */
export function createLookupCell(write: ReturnType<typeof writtenAs>) {
  return (props: CellProps) => <LookupCell {...props} write={write} />;
}

function LookupCell({ value, column, write }: CellProps & { readonly write: ReturnType<typeof writtenAs> }) {
  const context = columnContext(column, lookup);
  if (!Array.isArray(value)) return <span className="cr-text">{write(value, context)}</span>;
  const values = value as readonly CellValue[];
  return (
    <span className="cr-chips">
      {values.slice(0, 8).map((one, index) => (
        <span key={index} className="cr-chip cr-chip--quiet">
          {write(one, context) || '—'}
        </span>
      ))}
      {values.length > 8 && <span className="cr-more">+{values.length - 8}</span>}
    </span>
  );
}
