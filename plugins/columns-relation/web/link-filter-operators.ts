import type { WebFilterOperator } from '@trellis/sdk/web';
import { linkOperators } from '../shared/index.ts';
import { linkOf } from './link-calls.ts';
import { LinkFilter } from './LinkFilter.tsx';

/** What the comparisons are called where a row is linked to one other at the most. */
const labelsOfOne: Readonly<Record<string, { readonly label: string }>> = {
  linkedto: { label: 'is any of' },
  notlinkedto: { label: 'is none of' },
};

/** The comparisons of links, with what picks their rows. */
export const linkFilterOperators: readonly WebFilterOperator[] = linkOperators.map((operator) => ({
  ...operator,
  labelOf: (column) => (linkOf(column)?.type === 'bt' ? labelsOfOne[operator.id]?.label : undefined),
  ValueInput: LinkFilter,
}));
