import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import type { WebFilterOperator } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import { useVisitedView } from '../visited-view.ts';

/** Whether a column is offered where it is not chosen yet. One that was chosen, such as over the API, is named all the same. */
export const isOffered = ({ internal }: ColumnEntity): boolean => internal !== true;

/** The comparisons that are offered to whoever is there. One that was chosen before is named all the same. */
export function useOfferedOperators(): readonly WebFilterOperator[] {
  const operators = useRegistry('filterOperators');
  const isVisit = useVisitedView() !== undefined;
  return useMemo(
    () => (isVisit ? operators.filter(({ membersOnly }) => membersOnly !== true) : operators),
    [operators, isVisit],
  );
}
