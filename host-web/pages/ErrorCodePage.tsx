import { useParams } from 'react-router-dom';
import { ErrorPage } from './ErrorPage.tsx';

/** `/error/400`, `/error/403`, `/error/404`. The text is ours: nothing of the address is shown but a known code. */
export function ErrorCodePage() {
  const code = Number(useParams().code);
  return <ErrorPage code={[400, 403, 404].includes(code) ? code : 500} />;
}
