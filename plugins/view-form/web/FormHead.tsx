import { useState } from 'react';
import type { FormOptions } from '../shared/index.ts';

/** Banner, logo, title and description over a form. */
export function FormHead({ title, options }: { readonly title: string; readonly options: FormOptions }) {
  const { bannerUrl, logoUrl, heading, description } = options;
  return (
    <header className="form-head">
      <Picture key={`banner ${bannerUrl}`} className="form-banner" address={bannerUrl} />
      <Picture key={`logo ${logoUrl}`} className="form-logo" address={logoUrl} />
      <h1 dir="auto">{heading || title}</h1>
      {description !== '' && (
        <p className="form-description" dir="auto">
          {description}
        </p>
      )}
    </header>
  );
}

/** One that cannot be read leaves no trace: pages load none from other sites. */
function Picture({ className, address }: { readonly className: string; readonly address: string }) {
  const [isAbsent, setAbsent] = useState(false);
  if (address === '' || address.startsWith('https://') || isAbsent) return null;
  return <img className={className} src={address} alt="" onError={() => setAbsent(true)} />;
}
