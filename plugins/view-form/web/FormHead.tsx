import type { FormOptions } from '../shared/index.ts';
import { FormPicture } from './FormPicture.tsx';

export interface FormHeadProps {
  readonly title: string;
  readonly options: FormOptions;
  /** As in `FormPicture`. */
  readonly viewId: string | undefined;
}

/** A form's banner, logo, title and description. */
export function FormHead({ title, options, viewId }: FormHeadProps) {
  const { bannerUrl, logoUrl, heading, description } = options;
  return (
    <header className="form-head">
      <FormPicture
        key={`banner ${bannerUrl}`}
        className="form-banner"
        place="banner"
        address={bannerUrl}
        viewId={viewId}
      />
      <FormPicture
        key={`logo ${logoUrl}`}
        className="form-logo"
        place="logo"
        address={logoUrl}
        viewId={viewId}
      />
      <h1 dir="auto">{heading || title}</h1>
      {description !== '' && (
        <p className="form-description" dir="auto">
          {description}
        </p>
      )}
    </header>
  );
}
