import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost, useServerData, useShell, type HostActions, type OpenTab } from '@trellis/sdk/web';
import { copyText, Empty, ErrorNotice, Notice, PageHead, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { objectKinds, type ObjectDetailsEntity, type PartEntity } from '../shared/index.ts';
import { wordsOf } from '../shared/kinds.ts';
import { oneRequest } from './object-requests.ts';
import { SqlText } from './SqlText.tsx';

/** The direction of a parameter. */
const directionWords: Readonly<Record<string, string>> = {
  in: 'in',
  out: 'out',
  inout: 'in and out',
  variadic: 'any number',
};

/** One object of a database: its SQL, its parameters and its result. */
export default function ObjectTab({
  project,
  tab,
}: {
  readonly project: ProjectEntity;
  readonly tab: OpenTab;
}) {
  const { t, toast } = useHost();
  const kind = objectKinds.find((one) => wordsOf[one].tab === tab.type) ?? 'view';
  const { data, error, isFetching, refetch } = useServerData<ObjectDetailsEntity>(
    oneRequest(project, kind, tab.key),
  );
  const { label } = wordsOf[kind];
  if (error?.code === 'DATABASE_OBJECT_NOT_FOUND') return <ObjectGone tab={tab} />;

  async function copy(text: string): Promise<void> {
    const isCopied = await copyText(text);
    toast(
      isCopied
        ? { severity: 'success', summary: t('The definition is on the clipboard') }
        : { severity: 'error', summary: t('The browser does not allow copying. Select the text instead.') },
    );
  }

  return (
    <section className="tr-page dbobjects-page">
      <PageHead
        title={tab.name}
        about={[t(label), aboutOf(data, t)].filter((text) => text !== '').join(' · ')}
      >
        <WorkButton isBusy={isFetching} onClick={refetch}>
          <i className="pi pi-refresh" aria-hidden="true" /> {t('Read again')}
        </WorkButton>
      </PageHead>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={40} count={4} />}
      {data !== undefined && !error && (
        <>
          <Parts title={t('Parameters')} parts={data.parameters} hasModes />
          <Parts title={t('Columns')} parts={data.columns} />
          <section>
            <header className="dbobjects-section">
              <h2>{t('Definition')}</h2>
              {data.definition !== undefined && (
                <button type="button" className="tr-button" onClick={() => void copy(data.definition ?? '')}>
                  <i className="pi pi-copy" aria-hidden="true" /> {t('Copy')}
                </button>
              )}
            </header>
            {data.definition === undefined ? (
              <Notice severity="info">
                {t(
                  'The database tells no definition. The account of the connection may have no right to read it.',
                )}
              </Notice>
            ) : (
              <SqlText sql={data.definition} label={t('Definition')} />
            )}
          </section>
        </>
      )}
    </section>
  );
}

/** A function's result and language, or the table of a trigger or an index. */
function aboutOf(data: ObjectDetailsEntity | undefined, t: HostActions['t']): string {
  if (data === undefined) return '';
  const { kind, about, returns, language } = data;
  const said = [
    (kind === 'trigger' || kind === 'index') && about !== '' && t('of the table {{table}}', { table: about }),
    returns !== undefined && kind !== 'sequence' && t('returns {{type}}', { type: returns }),
    returns !== undefined && kind === 'sequence' && returns,
    language !== undefined && t('written in {{language}}', { language }),
  ];
  return said.filter((text) => typeof text === 'string').join(' · ');
}

function Parts(props: {
  readonly title: string;
  readonly parts: readonly PartEntity[] | undefined;
  readonly hasModes?: boolean;
}) {
  const { t } = useHost();
  const { title, parts = [], hasModes = false } = props;
  if (parts.length === 0) return null;
  return (
    <section>
      <header className="dbobjects-section">
        <h2>{title}</h2>
      </header>
      <div className="dbobjects-parts">
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t('Name')}</th>
              <th scope="col">{t('Type')}</th>
              {hasModes && <th scope="col">{t('Direction')}</th>}
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, type, mode }, at) => (
              <tr key={at}>
                <td>{name === '' ? '–' : name}</td>
                <td>
                  <code>{type}</code>
                </td>
                {hasModes && <td>{t(directionWords[mode ?? 'in'] ?? 'in')}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ObjectGone({ tab }: { readonly tab: OpenTab }) {
  const { t } = useHost();
  const shell = useShell();
  return (
    <Empty
      icon="trash"
      title={t('“{{name}}” is not there any more', { name: tab.name })}
      text={t('The database has nothing of this name now.')}
    >
      <button type="button" className="tr-button tr-button--primary" onClick={() => shell.closeTab(tab)}>
        {t('Close')}
      </button>
    </Empty>
  );
}
