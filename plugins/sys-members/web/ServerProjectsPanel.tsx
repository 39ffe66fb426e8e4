import { objectsTag, useHost, useRequestAction, useServerData } from '@trellis/sdk/web';
import { Empty, ErrorNotice, matchesSearch, SearchField, Skeleton, useKeptFocus } from '@trellis/sdk/web/ui';
import { useMemo, useState } from 'react';
import { ownersObjectKind, type OwnedProjectEntity } from '../shared/index.ts';
import { listOwnedRequest, rescueRequest } from './team-requests.ts';

const tag = objectsTag(ownersObjectKind);

/** Whether a project has an owner who can sign in. */
const isOwned = ({ owners }: OwnedProjectEntity): boolean => owners.some(({ is_disabled }) => !is_disabled);

/** All projects of the server with their owners, for the administrators, who do not see the projects' contents. */
export default function ServerProjectsPanel() {
  const { t } = useHost();
  const [search, setSearch] = useState('');
  const { data, error, isLoading, refetch } = useServerData<{ readonly list: readonly OwnedProjectEntity[] }>(
    listOwnedRequest,
    { tags: [tag, 'projects'] },
  );
  const wanted = search.trim();
  const { list, pressed } = useKeptFocus();
  const projects = useMemo(
    () => data?.list.toSorted((a, b) => Number(isOwned(a)) - Number(isOwned(b))),
    [data],
  );
  const lost = projects?.filter((project) => !isOwned(project)).length ?? 0;
  const shown = (projects ?? []).filter(({ title, owners }) =>
    matchesSearch([title, ...owners.map(({ email }) => email)].join(' '), wanted),
  );

  if (projects?.length === 0)
    return (
      <section className="account-panel">
        <Empty
          icon="folder"
          title={t('There is no project yet')}
          text={t('Whatever anybody makes on this server is listed here with its owners.')}
        />
      </section>
    );
  return (
    <section className="account-panel">
      <SearchField label={t('Search projects and owners')} value={search} onChange={setSearch} />
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton height={56} count={3} />}
      {lost > 0 && wanted === '' && (
        <p className="tr-note">
          {t('{{count}} projects have no owner who can sign in. They come first.', {
            count: lost,
            one: 'One project has no owner who can sign in. It comes first.',
          })}
        </p>
      )}
      {projects !== undefined && shown.length === 0 && (
        <p className="tr-nothing">{t('your search for {{search}} found no results', { search: wanted })}</p>
      )}
      {shown.length > 0 && (
        <ul ref={list} className="account-list" aria-label={t('All projects')} tabIndex={-1}>
          {shown.map((project, index) => (
            <OwnedProject key={project.id} project={project} onTaken={() => pressed(index)} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface OwnedProjectProps {
  readonly project: OwnedProjectEntity;
  /** Called just before its button is removed. */
  readonly onTaken: () => void;
}

function OwnedProject({ project, onTaken }: OwnedProjectProps) {
  const host = useHost();
  const { t } = host;
  const { isBusy, send } = useRequestAction([tag, 'projects']);
  const { title, owners } = project;

  async function takeOver() {
    if (isBusy) return;
    const agreed = await host.confirm({
      title: t('Take {{title}} over?', { title }),
      message: t('You become its owner, and its members see in its audit that you did.'),
      confirmLabel: t('Take over'),
    });
    if (!agreed) return;
    onTaken();
    if ((await send(rescueRequest(project), t('The project could not be taken over'))) === undefined) return;
    host.toast({ severity: 'success', summary: t('{{title}} is yours now', { title }) });
  }

  return (
    <li className="server-project" aria-busy={isBusy}>
      <span>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <small>
          {owners.length === 0 && t('No owner')}
          {owners.map(({ id, email, is_disabled: isDisabled }) => (
            <bdi key={id}>{isDisabled ? t('{{name}} (disabled)', { name: email }) : email}</bdi>
          ))}
        </small>
      </span>
      {!isOwned(project) && (
        <button
          type="button"
          className="tr-button"
          data-entry-action
          aria-label={t('Take {{title}} over', { title })}
          onClick={() => void takeOver()}
        >
          {t('Take over')}
        </button>
      )}
    </li>
  );
}
