import type { WebFilterOperator } from '@trellis/sdk/web';
import { linkOperators } from '../shared/index.ts';
import { linkOf } from './link-calls.ts';
import { LinkFilter } from './LinkFilter.tsx';

/** The labels of the comparisons for links to at most one row. */
const labelsOfOne: Readonly<Record<string, { readonly label: string }>> = {
  linkedto: { label: 'is any of' },
  notlinkedto: { label: 'is none of' },
};

/** The comparisons of links, with the component that picks their rows. */
export const linkFilterOperators: readonly WebFilterOperator[] = linkOperators.map((operator) => ({
  ...operator,
  labelOf: (column) => (linkOf(column)?.type === 'bt' ? labelsOfOne[operator.id]?.label : undefined),
  ValueInput: LinkFilter,
}));
