import {
  Contribution,
  dashboardRoute,
  messageOfError,
  useHost,
  useRegistryItem,
  useServerData,
  useT,
  VisitedProjectContext,
} from '@trellis/sdk/web';
import { Empty, ErrorNotice, PageSkeleton } from '@trellis/sdk/web/ui';
import { useEffect } from 'react';
import { visitorHeader } from '../shared/index.ts';
import { visitedShare } from './visit.ts';

/** The rights with which this page was started: data that was read with others must not be shown here, nor the reverse. */
const startedAs = visitedShare();

/** A project as its link's visitors see it. */
export default function VisitorPage() {
  const t = useT();
  const { live } = useHost();
  const uuid = visitedShare();
  const isFresh = uuid === startedAs;
  const page = useRegistryItem('routes', dashboardRoute);
  const { data, error, refetch } = useServerData<{ readonly project_id: string }>(
    uuid === undefined || !isFresh ? undefined : { path: `/api/v1/db/public/shared-base/${uuid}/meta` },
  );
  const projectId = data?.project_id;
  useEffect(() => {
    if (uuid === undefined || projectId === undefined) return undefined;
    const visit = live.visit({ headers: { [visitorHeader]: uuid }, projectId });
    return () => visit.dispose();
  }, [live, uuid, projectId]);
  useEffect(() => {
    if (!isFresh) window.location.reload();
  }, [isFresh]);
  useEffect(
    () => () => {
      if (visitedShare() !== startedAs) window.location.reload();
    },
    [],
  );
  if (error?.status === 404)
    return (
      <Empty
        icon="lock"
        title={t('This link opens nothing')}
        text={t('The project is not shared any more, or it has a new link. Ask whoever gave it to you.')}
      />
    );
  // A failed answer says nothing about the link, and does not close an open project.
  if (data === undefined && error !== undefined)
    return (
      <ErrorNotice
        title={t('The project could not be opened')}
        message={messageOfError(error, t)}
        onRetry={refetch}
      />
    );
  if (data === undefined || page === undefined) return <PageSkeleton />;
  return (
    <VisitedProjectContext.Provider value={data.project_id}>
      <Contribution registry="routes" id={dashboardRoute} fallback={<PageSkeleton />}>
        <page.Component />
      </Contribution>
    </VisitedProjectContext.Provider>
  );
}
