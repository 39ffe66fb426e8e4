import type { ReactNode } from 'react';

/** The name of the product. @public */
export const brand = 'Trellis';

/** The props of the brand's logo. @public */
export interface BrandMarkProps {
  readonly withName?: boolean;
  /** Pixels. Default 22. */
  readonly size?: number;
}

/** The brand's logo, with its name if requested. @public */
export function BrandMark({ withName = false, size = 22 }: BrandMarkProps): ReactNode {
  return (
    <span className="tr-brand">
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
        <rect width="32" height="32" rx="8" className="tr-brand-ground" />
        <path d="M9 9h14M9 16h14M9 23h14M9 9v14M16 9v14M23 9v14" className="tr-brand-lines" />
      </svg>
      {withName && <span className="tr-brand-name">{brand}</span>}
    </span>
  );
}
