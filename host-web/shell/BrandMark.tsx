import { brand } from '../router/use-document-title.ts';

/** The brand's sign: a lattice. */
export function BrandMark({ withName = false }: { readonly withName?: boolean }) {
  return (
    <span className="tr-brand">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="tr-brand-ground" />
        <path d="M9 9h14M9 16h14M9 23h14M9 9v14M16 9v14M23 9v14" className="tr-brand-lines" />
      </svg>
      {withName && <span className="tr-brand-name">{brand}</span>}
    </span>
  );
}
