import { BrandMark } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

/** The card in the middle of the sign-in pages; without a heading until it is known which page it is. */
export function AuthCard(props: { readonly heading: string | undefined; readonly children: ReactNode }) {
  return (
    <section className="auth" aria-busy={props.heading === undefined}>
      <div className="auth-card">
        <BrandMark size={36} />
        {/* It is known in a moment, so no placeholder flashes. */}
        {props.heading === undefined ? <div className="auth-heading" /> : <h1>{props.heading}</h1>}
        {props.children}
      </div>
    </section>
  );
}

/** The query of such a page with the path of this site where the person continues afterwards. */
export function continueQuery(target: string): string {
  return `?continue=${encodeURIComponent(target)}`;
}
