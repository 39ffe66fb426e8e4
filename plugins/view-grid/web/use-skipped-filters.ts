import type { FilterEntity } from '@trellis/sdk/shared';
import { ApiError, useT } from '@trellis/sdk/web';
import { useState } from 'react';

/** The notice when rows are shown without some of the view's filters, by the refusal's code. */
const withoutFilters: Readonly<Record<string, string>> = {
  FILTER_OPERATOR_DISABLED: 'Shown without the filters whose plugin is switched off or removed.',
  FILTER_UNFIT: 'Shown without the filters whose value does not fit their column.',
};

interface Skipped {
  /** The reason, as a code of `withoutFilters`. */
  readonly because: string;
  /** The filters when they were skipped. */
  readonly of: readonly FilterEntity[] | undefined;
}

/** Shows rows without the refused filters, for this person and until they leave the view. The stored filters do not change. */
export function useSkippedFilters(filters: readonly FilterEntity[] | undefined) {
  const t = useT();
  const [skipped, setSkipped] = useState<Skipped>();
  // Other filters may all be valid.
  if (skipped !== undefined && !isSameList(skipped.of, filters)) setSkipped(undefined);
  return {
    isSkipping: skipped !== undefined,
    /** Undefined while all filters apply. */
    notice: skipped && t(withoutFilters[skipped.because] ?? ''),
    applyAll: () => setSkipped(undefined),
    /** The action that an error of the rows offers if a filter caused it. */
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
