import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  Contribution,
  useContributions,
  useRegistry,
  useRegistryItem,
  useServerData,
  useShell,
  useT,
  VisitedProjectContext,
  type DashboardStartProps,
  type OpenTab,
} from '@trellis/sdk/web';
import { Empty, PageSkeleton, Tabs } from '@trellis/sdk/web/ui';
import { useContext, useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { useOpenDrawer } from '../shell/drawer.ts';
import { useIsStarting } from './parts.ts';
import { ErrorPage } from './ErrorPage.tsx';
import { useTabInAddress } from '../router/use-tab-in-address.ts';

/** Non-members do not learn whether the project exists. */
const notYours = 'This project was deleted, or you are not a member of it';
const refusals: Readonly<Record<number, string>> = { 403: notYours, 404: notYours };

/** A project's workspace: its tabs and the active one. */
export function DashboardPage() {
  const visited = useContext(VisitedProjectContext);
  const { projectId = visited ?? '' } = useParams();
  const shell = useShell();
  const { data, error } = useServerData<ProjectEntity>(
    { path: `/api/v1/db/meta/projects/${encodeURIComponent(projectId)}` },
    { tags: ['projects', `project:${projectId}`] },
  );
  useEffect(() => {
    if (data?.id === projectId) shell.setContext({ project: data });
  }, [data, projectId, shell]);
  // Declared last, so that its cleanup runs when another project is opened.
  useEffect(
    () => () => shell.setContext({ project: undefined, table: undefined, view: undefined }),
    [projectId, shell],
  );

  // A temporary failure does not close what is open.
  const isRefused = error !== undefined && (data === undefined || [401, 403, 404].includes(error.status));
  useEffect(() => {
    if (isRefused) shell.setContext({ project: undefined, table: undefined, view: undefined });
  }, [isRefused, shell]);
  if (isRefused)
    return (
      <ErrorPage
        code={error.status === 0 ? 500 : error.status}
        message={refusals[error.status] ?? error.message}
      />
    );
  const { project } = shell.context;
  if (project === undefined || project.id !== projectId) return <PageSkeleton />;
  return <Workspace key={project.id} project={project} />;
}

function Workspace({ project }: { readonly project: ProjectEntity }) {
  const t = useT();
  const shell = useShell();
  const kinds = useRegistry('dashboardTabs');
  const isOpening = useTabInAddress();
  const { tabs, activeTab } = shell;
  const isEmpty = activeTab === undefined;
  const [hadTab, setHadTab] = useState(false);
  useEffect(() => {
    // The focus was lost with the last tab, so the page gets it.
    if (isEmpty && hadTab && document.activeElement === document.body)
      document.getElementById('tr-main')?.focus();
  }, [isEmpty, hadTab]);
  if (!isEmpty && !hadTab) setHadTab(true);
  if (activeTab === undefined)
    return isOpening ? <PageSkeleton /> : <NothingOpen project={project} isArriving={!hadTab} />;
  /** The name of a tab that belongs to no object is its kind's label in the current language. */
  const nameOf = ({ type, name }: OpenTab) => {
    const kind = kinds.find(({ id }) => id === type);
    return kind === undefined || kind.perObject === true ? name : t(kind.label);
  };
  const tabOf = (id: string) => tabs.find((tab) => idOf(tab) === id) ?? activeTab;
  return (
    <Tabs
      label={t('Open tabs')}
      className="tr-workspace"
      items={tabs.map((tab) => ({
        id: idOf(tab),
        label: nameOf(tab),
        icon: kinds.find(({ id }) => id === tab.type)?.icon ?? 'file',
      }))}
      value={idOf(activeTab)}
      onChange={(id) => shell.openTab(tabOf(id))}
      onClose={(id) => shell.closeTab(tabOf(id))}
    >
      <TabContent project={project} tab={activeTab} />
    </Tabs>
  );
}

function idOf({ type, key }: OpenTab): string {
  return `${type} ${key}`;
}

function NothingOpen(props: DashboardStartProps) {
  const isStarting = useIsStarting();
  const [start] = useContributions('dashboardTabs', ({ Start }) => Start !== undefined);
  if (start?.Start === undefined) return isStarting ? <PageSkeleton /> : <ChooseInSideBar />;
  return (
    <Contribution registry="dashboardTabs" id={start.id} fallback={<PageSkeleton />}>
      <start.Start {...props} />
    </Contribution>
  );
}

function ChooseInSideBar() {
  const t = useT();
  const openDrawer = useOpenDrawer();
  return (
    <Empty
      icon="table"
      title={t('Nothing is open')}
      text={t('Choose a table in the side bar, or create one there.')}
    >
      {openDrawer && (
        <button type="button" className="tr-button tr-button--primary tr-narrow-only" onClick={openDrawer}>
          {t('Show the tables')}
        </button>
      )}
    </Empty>
  );
}

function TabContent({ project, tab }: { readonly project: ProjectEntity; readonly tab: OpenTab }) {
  const t = useT();
  const isStarting = useIsStarting();
  const kind = useRegistryItem('dashboardTabs', tab.type);
  if (kind === undefined && isStarting) return <PageSkeleton />;
  if (kind === undefined) {
    return (
      <Empty
        icon="box"
        title={t('This tab cannot be shown')}
        text={t("No enabled plugin provides tabs of type '{{type}}'.", { type: tab.type })}
      />
    );
  }
  return (
    <Contribution
      key={idOf(tab)}
      registry="dashboardTabs"
      id={kind.id}
      what={t('tab {{name}}', { name: tab.name })}
      fallback={<PageSkeleton />}
    >
      <kind.Component project={project} tab={tab} />
    </Contribution>
  );
}
