import { Contribution, useRegistry, useSession, useT } from '@trellis/sdk/web';
import { Empty, PageSkeleton } from '@trellis/sdk/web/ui';
import { Navigate } from 'react-router-dom';
import { projectsPath, signInPath } from '../router/route-guard.ts';
import { useIsStarting } from './parts.ts';
import { Slot, useSlotItems } from '../shell/Slot.tsx';

/** The entrance: for members their projects below the items of plugins; for guests the sign-in. */
export function IndexPage() {
  const t = useT();
  const { status } = useSession();
  const routes = useRegistry('routes');
  const isStarting = useIsStarting();
  const hasHome = useSlotItems('home').length > 0;
  const wanted = status === 'signedIn' ? projectsPath : signInPath;
  const page = routes.find(({ path }) => path === wanted);
  if (page === undefined && isStarting) return <PageSkeleton />;
  if (page === undefined) {
    return (
      <Empty
        icon="box"
        title={t('There is nothing here yet')}
        text={t('The plugin that brings this page is not enabled.')}
      />
    );
  }
  if (status !== 'signedIn' || !hasHome) return <Navigate to={wanted} replace />;
  return (
    <>
      <Slot name="home" />
      <Contribution registry="routes" id={page.id} what={`page ${page.path}`} fallback={<PageSkeleton />}>
        <page.Component />
      </Contribution>
    </>
  );
}
