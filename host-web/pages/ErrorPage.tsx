import { useT } from '@trellis/sdk/web';
import { Link } from 'react-router-dom';
import { useDocumentTitle } from '../router/use-document-title.ts';

interface ErrorPageProps {
  readonly code?: number;
  readonly message?: string;
}

const messages: Readonly<Record<number, string>> = {
  400: 'This request could not be understood',
  403: 'You do not have the right to see this page',
  404: 'This page could not be found',
};

/** Says what went wrong and leads back home. */
export function ErrorPage({ code = 500, message = messages[code] ?? 'An error occurred' }: ErrorPageProps) {
  const t = useT();
  useDocumentTitle(code === 404 ? '404 Not Found' : message);
  return (
    <section className="tr-error-page">
      <p className="tr-error-code">{code}</p>
      <h1>{t(message)}</h1>
      <Link to="/" className="tr-button tr-button--primary">
        {t('Back to home')}
      </Link>
    </section>
  );
}
