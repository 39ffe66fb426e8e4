import { useParams } from 'react-router-dom';
import { ErrorPage } from './ErrorPage.tsx';

/** `/error/400`, `/error/403`, `/error/404`. The text is the page's own: of the address, only a known code is used. */
export function ErrorCodePage() {
  const code = Number(useParams().code);
  return <ErrorPage code={[400, 403, 404].includes(code) ? code : 500} />;
}
