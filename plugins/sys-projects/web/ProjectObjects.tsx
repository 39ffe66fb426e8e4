import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  Contribution,
  isOffered,
  runContribution,
  useContributions,
  useHost,
  useMenuActions,
  useServerData,
  useShell,
  useT,
  type WebObjectKind,
  type ObjectOfKind,
} from '@trellis/sdk/web';
import { ErrorNotice, Skeleton, TreeItem } from '@trellis/sdk/web/ui';
import { useEffect, useMemo } from 'react';
import { objectsRequest, openObject, type ObjectList } from './object-requests.ts';

/** What the open project holds beside its tables, a list for each kind. */
export default function ProjectObjects() {
  const t = useT();
  const { project } = useShell().context;
  const kinds = useContributions('objectKinds');
  if (project === undefined) return null;
  return kinds.map((kind) => (
    <Contribution key={`${kind.id} ${project.id}`} registry="objectKinds" id={kind.id} what={t(kind.label)}>
      <ObjectsOfKind kind={kind} project={project} />
    </Contribution>
  ));
}

function ObjectsOfKind({ kind, project }: { readonly kind: WebObjectKind; readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const { context } = useShell();
  const request = objectsRequest(kind, project);
  const { data, error, isLoading, refetch } = useServerData<ObjectList>(request, request);
  useEffect(() => {
    if (data !== undefined)
      host.shell.nameTabs(kind.id, new Map(data.list.map(({ id, title }) => [id, title])));
  }, [host, kind.id, data]);
  const create = useMemo(() => kind.create && { id: kind.id, ...kind.create }, [kind]);
  const canCreate = create !== undefined && isOffered(host, 'objectKinds', create, context);
  const objects = data?.list ?? [];
  if (objects.length === 0 && error === undefined && !isLoading && !canCreate) return null;
  return (
    <nav className="tr-tree" aria-label={t(kind.label)}>
      <header>
        <h2>{t(kind.label)}</h2>
        {canCreate && (
          <button
            type="button"
            className="tr-icon-button tr-icon-button--small"
            aria-label={t(create.label)}
            title={t(create.label)}
            onClick={() => void runContribution(host, 'objectKinds', create, context)}
          >
            <i className="pi pi-plus" aria-hidden="true" />
          </button>
        )}
      </header>
      {isLoading && <Skeleton height={32} count={3} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      <ul>
        {objects.map((object) => (
          <ObjectItem
            key={object.id}
            object={{ ...object, kind: kind.id }}
            icon={object.icon ?? kind.icon}
            project={project}
          />
        ))}
      </ul>
    </nav>
  );
}

function ObjectItem(props: {
  readonly object: ObjectOfKind;
  readonly icon: string;
  readonly project: ProjectEntity;
}) {
  const { object, project } = props;
  const { shell, t, registry } = useHost();
  const { activeTab } = useShell();
  const actions = useMenuActions('object', { object, project });
  const isActive = activeTab?.type === object.kind && activeTab.key === object.id;
  const canOpen = registry('dashboardTabs').get(object.kind) !== undefined;
  return (
    <TreeItem
      icon={props.icon}
      title={object.title}
      isActive={isActive}
      onOpen={canOpen ? () => openObject(shell, object) : undefined}
      menu={{
        label: object.title,
        buttonLabel: t('Actions for {{title}}', { title: object.title }),
        actions,
      }}
    />
  );
}
