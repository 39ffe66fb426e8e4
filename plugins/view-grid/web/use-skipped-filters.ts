import type { FilterEntity } from '@trellis/sdk/shared';
import { ApiError, useT } from '@trellis/sdk/web';
import { useState } from 'react';

/** What is said of rows that are shown without some of their view's filters, by the refusal that those filters met. */
const withoutFilters: Readonly<Record<string, string>> = {
  FILTER_OPERATOR_DISABLED: 'Shown without the filters whose plugin is switched off or removed.',
  FILTER_UNFIT: 'Shown without the filters whose value does not fit their column.',
};

interface Skipped {
  /** Why, as a code of `withoutFilters`. */
  readonly because: string;
  /** The filters of which that was true. */
  readonly of: readonly FilterEntity[] | undefined;
}

/** For this person, until the view is left: rows without the filters that are refused. The filters stay as they are stored. */
export function useSkippedFilters(filters: readonly FilterEntity[] | undefined) {
  const t = useT();
  const [skipped, setSkipped] = useState<Skipped>();
  // Other filters may all be in order.
  if (skipped !== undefined && !isSameList(skipped.of, filters)) setSkipped(undefined);
  return {
    isSkipping: skipped !== undefined,
    /** Undefined while all filters hold. */
    notice: skipped && t(withoutFilters[skipped.because] ?? ''),
    applyAll: () => setSkipped(undefined),
    /** What leads on from an error of the rows, where it is one of their filters. */
    wayOut: (error: unknown) =>
      error instanceof ApiError && error.code !== undefined && error.code in withoutFilters
        ? {
            label: t('Show without this filter'),
            run: () => setSkipped({ because: error.code ?? '', of: filters }),
          }
        : undefined,
  };
}

function isSameList(
  left: readonly FilterEntity[] | undefined,
  right: readonly FilterEntity[] | undefined,
): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
