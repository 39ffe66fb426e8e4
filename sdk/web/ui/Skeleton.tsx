import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';

/** The places of what is on its way. @public */
export interface SkeletonProps {
  /** Pixels of each. Default: a line of text. */
  readonly height?: number;
  /** How many. Default 1. */
  readonly count?: number;
  /** The class of the list that they stand for. */
  readonly className?: string;
}

/**
 * Keeps the place of something while it is on its way; a screen reader hears that it is loading. It wears the class of PrimeReact's
 * skeleton and waits for none of its code.
 *
 * @public
 */
export function Skeleton({ height = 14, count = 1, className }: SkeletonProps): ReactNode {
  const t = useSharedT();
  return (
    <div className={className ?? 'tr-skeletons'} role="status" aria-busy="true" aria-label={t('Loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="p-skeleton p-component" style={{ height }} />
      ))}
    </div>
  );
}

/** What a page shows while its code or its data is on its way. @public */
export function PageSkeleton(): ReactNode {
  return (
    <div className="tr-page-skeleton">
      <Skeleton height={24} />
      <Skeleton count={2} />
      <Skeleton height={180} />
    </div>
  );
}
