import { ErrorPage } from './ErrorPage.tsx';

export function NotFoundPage() {
  return <ErrorPage code={404} />;
}
