import type { BaseEntity, ProjectEntity } from '@trellis/sdk/shared';
import { useHost, useServerData, useShell, type HostActions } from '@trellis/sdk/web';
import { Empty, ErrorNotice, SearchField, Select, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';
import { nameOfDatabase } from '#plugins/sys-projects/shared';
import {
  keyOf,
  objectKinds,
  titleOf,
  type ObjectEntity,
  type ObjectKind,
  type ObjectListEntity,
} from '../shared/index.ts';
import { wordsOf } from '../shared/kinds.ts';
import { listRequest, projectRequest } from './object-requests.ts';

/** Milliseconds after the last key before the search starts: every search reads the database's catalogue. */
const typingPause = 250;

/** The objects of a project's external databases other than tables. */
export default function ObjectsTab({ project }: { readonly project: ProjectEntity }) {
  const { t } = useHost();
  const whole = useServerData<ProjectEntity>(projectRequest(project), { tags: [`project:${project.id}`] });
  const [chosen, setChosen] = useState('');
  const bases = (whole.data?.bases ?? []).filter(({ is_meta: isOwn }) => !isOwn);
  const base = bases.find(({ id }) => id === chosen) ?? bases[0];
  return (
    <section className="tr-page dbobjects-page">
      <PageHead
        title={t('Database objects')}
        about={t('What the database holds beside its tables, as it is there now. Nothing is changed here.')}
      >
        {bases.length > 1 && base !== undefined && (
          <Select<string>
            label={t('Database')}
            value={base.id}
            options={bases.map((one) => ({ value: one.id, label: nameOfDatabase(one, t) }))}
            onChange={setChosen}
          />
        )}
      </PageHead>
      {whole.error && <ErrorNotice message={whole.error.message} onRetry={whole.refetch} />}
      {!whole.error && whole.data === undefined && <Skeleton height={36} count={6} />}
      {whole.data !== undefined && base === undefined && (
        <Empty
          icon="database"
          title={t('No database is connected')}
          text={t(
            'Views, functions and the like are listed here once the project has a database of its own.',
          )}
        />
      )}
      {base !== undefined && <ObjectsOf key={base.id} project={project} base={base} />}
    </section>
  );
}

function ObjectsOf({ project, base }: { readonly project: ProjectEntity; readonly base: BaseEntity }) {
  const { t } = useHost();
  const shell = useShell();
  const [kind, setKind] = useState<ObjectKind | ''>('');
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const waiting = setTimeout(() => setSearch(typed.trim()), typed === '' ? 0 : typingPause);
    return () => clearTimeout(waiting);
  }, [typed]);
  const {
    data: read,
    error,
    isFetching,
    refetch,
  } = useServerData<ObjectListEntity>(listRequest(project, base.id, { kind, search }));
  // The last answer stays, with the buttons above it, until the next one arrives.
  const [last, setLast] = useState(read);
  if (read !== undefined && read !== last) setLast(read);
  const data = read ?? last;
  const counts = data?.counts ?? {};
  const known = objectKinds.filter((one) => counts[one] !== undefined);
  const all = known.reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  const total = kind === '' ? all : (counts[kind] ?? 0);
  const list = data?.list ?? [];

  function open(object: ObjectEntity): void {
    const { tab } = wordsOf[object.kind];
    shell.openTab({ type: tab, key: keyOf(base.id, object.id), name: titleOf(object) });
  }

  return (
    <>
      <div className="dbobjects-filters">
        <SearchField label={t('Search by name')} value={typed} onChange={setTyped} />
        <div className="dbobjects-kinds" role="group" aria-label={t('Kind')}>
          <KindButton t={t} label={t('All')} count={all} isOn={kind === ''} onChoose={() => setKind('')} />
          {known.map((one) => (
            <KindButton
              key={one}
              t={t}
              label={t(wordsOf[one].listLabel)}
              count={counts[one] ?? 0}
              isOn={kind === one}
              onChoose={() => setKind(one)}
            />
          ))}
        </div>
      </div>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={36} count={6} />}
      {!error && read !== undefined && list.length === 0 && (
        <Empty
          icon="code"
          title={t(search === '' ? 'There is nothing of this kind' : 'Nothing has such a name')}
          text={t('Objects that belong to an extension of the database are not listed.')}
        />
      )}
      {!error && list.length > 0 && (
        <ul className="dbobjects-list" aria-label={t('Database objects')} aria-busy={isFetching}>
          {list.map((object) => (
            <li key={`${object.kind} ${object.id}`}>
              <button type="button" onClick={() => open(object)}>
                <i className={`pi pi-${wordsOf[object.kind].icon}`} aria-hidden="true" />
                <span className="dbobjects-name">
                  {object.name}
                  {object.kind === 'function' || object.kind === 'procedure' ? (
                    object.about !== '' && <small> ({object.about})</small>
                  ) : object.kind === 'trigger' || object.kind === 'index' ? (
                    <small> {t('of the table {{table}}', { table: object.about })}</small>
                  ) : null}
                </span>
                <small>{t(wordsOf[object.kind].label)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {!error && read !== undefined && list.length < total && list.length > 0 && (
        <p className="dbobjects-more">
          {t('{{shown}} of {{total}} are shown. Search by name to find others.', {
            shown: list.length,
            total,
          })}
        </p>
      )}
    </>
  );
}

function KindButton(props: {
  readonly t: HostActions['t'];
  readonly label: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <button type="button" className="tr-button" aria-pressed={props.isOn} onClick={props.onChoose}>
      {props.label} <span className="dbobjects-count">{props.count}</span>
    </button>
  );
}
