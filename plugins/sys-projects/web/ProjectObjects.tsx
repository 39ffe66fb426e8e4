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
  useUserStorage,
  type WebObjectKind,
  type ObjectOfKind,
} from '@trellis/sdk/web';
import { ErrorNotice, Skeleton, TreeItem } from '@trellis/sdk/web/ui';
import { useEffect, useId, useMemo, useState } from 'react';
import { objectsRequest, ofKind, openObject, type ObjectList } from './object-requests.ts';

/** The open project's objects other than tables, with a list for each kind. */
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
  const { isFolded, fold } = useFolded(kind, project);
  const listId = useId();
  const request = objectsRequest(kind, project);
  const { data, error, isLoading, refetch } = useServerData<ObjectList>(
    isFolded ? undefined : request,
    request,
  );
  const objects = useMemo(() => data?.list.map((object) => ofKind(kind, object)) ?? [], [data, kind]);
  useEffect(() => {
    for (const [type, names] of namesByKind(objects)) host.shell.nameTabs(type, names);
  }, [host, objects]);
  const create = useMemo(() => kind.create && { id: kind.id, ...kind.create }, [kind]);
  const canCreate = create !== undefined && isOffered(host, 'objectKinds', create, context);
  const { total = 0 } = data ?? {};
  if (kind.folded !== true && objects.length === 0 && error === undefined && !isLoading && !canCreate)
    return null;
  return (
    <nav className="tr-tree" aria-label={t(kind.label)}>
      <header>
        {kind.folded === true ? (
          <h2>
            <button
              type="button"
              className="tr-tree-heading"
              aria-expanded={!isFolded}
              aria-controls={listId}
              onClick={fold}
            >
              <i className={`pi pi-chevron-${isFolded ? 'right' : 'down'}`} aria-hidden="true" />
              {t(kind.label)}
            </button>
          </h2>
        ) : (
          <h2>{t(kind.label)}</h2>
        )}
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
      <ul id={listId}>
        {objects.map((object) => (
          <ObjectItem
            key={`${object.kind} ${object.id}`}
            object={object}
            icon={object.icon ?? kind.icon}
            project={project}
          />
        ))}
      </ul>
      {data !== undefined && objects.length === 0 && kind.folded === true && (
        <p className="tr-tree-note">{t('There are none.')}</p>
      )}
      {objects.length > 0 && total > objects.length && (
        <p className="tr-tree-note">
          {t('The first {{shown}} of {{total}}', { shown: objects.length, total })}
        </p>
      )}
    </nav>
  );
}

/** Whether the objects of a kind are collapsed under its heading; stored for the person. */
function useFolded({ id, folded: canFold = false }: WebObjectKind, project: ProjectEntity) {
  const storage = useUserStorage();
  const key = `unfolded-objects.${id}.${project.id}`;
  const [isUnfolded, setUnfolded] = useState(() => storage.get(key) === true);
  return {
    isFolded: canFold && !isUnfolded,
    fold(): void {
      setUnfolded(!isUnfolded);
      storage.set(key, isUnfolded ? undefined : true);
    },
  };
}

/** The titles of objects by id, for each kind of tab. */
function namesByKind(objects: readonly ObjectOfKind[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const byKind = new Map<string, Map<string, string>>();
  for (const { kind, id, title } of objects) {
    const names = byKind.get(kind) ?? new Map<string, string>();
    byKind.set(kind, names.set(id, title));
  }
  return byKind;
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
