import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import type { WebFilterOperator } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import { useVisitedView } from '../visited-view.ts';

/** Whether a column is offered in lists of choices. One that was chosen, such as through the API, is still shown. */
export const isOffered = ({ internal }: ColumnEntity): boolean => internal !== true;

/** Whether a comparison is offered for a column. @public */
export type OffersComparison = (column: ColumnEntity, operator: WebFilterOperator) => boolean;

/** The comparisons that are offered for a column: all of them by default. */
export function offeredFor(
  column: ColumnEntity | undefined,
  operators: readonly WebFilterOperator[],
  offers: OffersComparison | undefined,
): readonly WebFilterOperator[] {
  return column === undefined || offers === undefined
    ? operators
    : operators.filter((operator) => offers(column, operator));
}

/** The comparisons that are offered to the current person. One that was chosen before is still shown. */
export function useOfferedOperators(): readonly WebFilterOperator[] {
  const operators = useRegistry('filterOperators');
  const isVisit = useVisitedView() !== undefined;
  return useMemo(
    () => (isVisit ? operators.filter(({ membersOnly }) => membersOnly !== true) : operators),
    [operators, isVisit],
  );
}
