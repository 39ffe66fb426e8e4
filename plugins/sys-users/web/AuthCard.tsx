import { BrandMark } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

/** The card in the middle of the pages around signing in; without a heading while it is not known which page it is. */
export function AuthCard(props: { readonly heading: string | undefined; readonly children: ReactNode }) {
  return (
    <section className="auth" aria-busy={props.heading === undefined}>
      <div className="auth-card">
        <BrandMark size={36} />
        {/* It is known in a moment, for which nothing flashes. */}
        {props.heading === undefined ? <div className="auth-heading" /> : <h1>{props.heading}</h1>}
        {props.children}
      </div>
    </section>
  );
}

/** The query of such a page, from which the person is to go on to a path of this site. */
export function continueQuery(target: string): string {
  return `?continue=${encodeURIComponent(target)}`;
}
