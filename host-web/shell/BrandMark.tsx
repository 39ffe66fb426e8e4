import { brand } from '../router/use-document-title.ts';

/** The brand's sign: a lattice. */
export function BrandMark({ withName = false }: { readonly withName?: boolean }) {
  return (
    <span className="tr-brand">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <rect x="1" y="1" width="22" height="22" rx="6" className="tr-brand-ground" />
        <path d="M7 5v14M12 5v14M17 5v14M5 9h14M5 15h14" className="tr-brand-lines" />
      </svg>
      {withName && <span className="tr-brand-name">{brand}</span>}
    </span>
  );
}
