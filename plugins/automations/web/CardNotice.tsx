import { Notice } from '@trellis/sdk/web/ui';
import { useEffect, useRef } from 'react';
import type { CardProblem } from './use-card-problem.ts';

/** A card's problem, which is scrolled into view. */
export function CardNotice({
  card,
  problem,
}: {
  readonly card: string;
  readonly problem: CardProblem | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  const isMeant = problem?.card === card;
  useEffect(() => {
    if (isMeant) place.current?.scrollIntoView?.({ block: 'center' });
  }, [isMeant, problem]);
  if (!isMeant) return null;
  return (
    <div ref={place}>
      <Notice severity="error">{problem.message}</Notice>
    </div>
  );
}
