import { Skeleton } from '@trellis/sdk/web/ui';
import { lazy, Suspense } from 'react';
import { ApiPage } from './ApiPage.tsx';

const SwaggerDocument = lazy(() => import('./SwaggerDocument.tsx'));

/** A project's calls, which can be tried in the page. */
export default function TryPage() {
  return (
    <ApiPage page="swagger">
      {(document) => (
        <Suspense fallback={<Skeleton height={48} count={6} />}>
          <SwaggerDocument document={document} />
        </Suspense>
      )}
    </ApiPage>
  );
}
