import type { FormOptions } from '../shared/index.ts';

/** Banner, logo, title and description over a form. */
export function FormHead({ title, options }: { readonly title: string; readonly options: FormOptions }) {
  const { bannerUrl, logoUrl, heading, description } = options;
  return (
    <header className="form-head">
      {bannerUrl !== '' && <img className="form-banner" src={bannerUrl} alt="" />}
      {logoUrl !== '' && <img className="form-logo" src={logoUrl} alt="" />}
      <h1 dir="auto">{heading || title}</h1>
      {description !== '' && (
        <p className="form-description" dir="auto">
          {description}
        </p>
      )}
    </header>
  );
}
