import type { ReactNode } from 'react';
import { useSharedT } from '../host.tsx';

/** The props of placeholders for loading content. @public */
export interface SkeletonProps {
  /** The height of each in pixels. Default: a line of text. */
  readonly height?: number;
  /** How many. Default 1. */
  readonly count?: number;
  /** The class of the list that they replace. */
  readonly className?: string;
}

/**
 * A placeholder for loading content; screen readers announce that it is loading. It uses the class of PrimeReact's skeleton without
 * its code.
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

/** The content of a page while its code or data is loading. @public */
export function PageSkeleton(): ReactNode {
  return (
    <div className="tr-page-skeleton">
      <Skeleton height={24} />
      <Skeleton count={2} />
      <Skeleton height={180} />
    </div>
  );
}
