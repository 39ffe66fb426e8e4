import type { ProjectEntity } from '@trellis/sdk/shared';
import { ApiError, useAttempt, useHost, useServerData, type Translate } from '@trellis/sdk/web';
import { Dialog, Empty, ErrorNotice, Notice, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { DetectedChange, TableDiff } from '../shared/index.ts';
import { OutwardKeys } from './OutwardKeys.tsx';
import { RenameChoice } from './RenameChoice.tsx';
import { chosenRenames, isRenamed, renamingOf } from './sync-renames.ts';
import { syncPath } from './table-requests.ts';

/** Lists what other applications changed in a project's database, and applies it to the project. */
export default function SyncDialog({
  project,
  onClose,
}: {
  readonly project: ProjectEntity;
  readonly onClose: () => void;
}) {
  const host = useHost();
  const { t } = host;
  const path = syncPath(project.id);
  const tags = [`sync:${project.id}`];
  const { data, error, isLoading, refetch } = useServerData<readonly TableDiff[]>(
    { path },
    // No event reports other applications' changes, so each opening compares again.
    { tags, isDraft: true },
  );
  const { isBusy, problem, attempt } = useAttempt();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const renames = chosenRenames(data ?? [], chosen);
  const away = [...new Set((data ?? []).flatMap(({ away: name }) => name ?? []))];
  const changed = (data ?? []).filter(({ detectedChanges }) => detectedChanges.length > 0);

  // A new table that is a renamed one is shown under the former one.
  const shown = changed.filter(
    (table) => !table.detectedChanges.every((change) => isRenamed(change, table, changed, renames)),
  );

  /** Asks for the project's title if most tables would disappear, because the server requires it. */
  async function apply(): Promise<boolean> {
    const body = renames.size === 0 ? undefined : { renames: [...renames].map(([id, to]) => ({ id, to })) };
    try {
      await host.api.request({ method: 'POST', path, body });
      return true;
    } catch (refusal) {
      if (!(refusal instanceof ApiError) || refusal.code !== 'SYNC_SHRANK') throw refusal;
      const agreed = await host.confirm({
        title: t('Take over that most tables are gone?'),
        message: refusal.message,
        confirmLabel: t('Take over'),
        danger: true,
        typeToConfirm: project.title,
      });
      if (agreed) await host.api.request({ method: 'POST', path, body: { ...body, confirm: project.title } });
      return agreed;
    }
  }

  async function submit() {
    let isApplied = false;
    await attempt(async () => {
      isApplied = await apply();
    });
    const tables = (data ?? []).flatMap(({ detectedChanges }) =>
      detectedChanges.flatMap(({ id }) => id ?? []),
    );
    host.invalidate([...tags, `tables:${project.id}`, ...tables.map((id) => `table:${id}`)]);
    if (!isApplied) return;
    host.toast({ severity: 'success', summary: t('The project is as its database now'), life: 4000 });
    onClose();
  }

  return (
    <Dialog title={t('Compare with the database')} width={620} dismissable isBusy={isBusy} onClose={onClose}>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {isLoading && <Skeleton height={48} count={3} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {away.map((name) => (
        <Notice key={name} severity="warn">
          {name === ''
            ? t('A database does not answer at the moment, so its tables were not compared.')
            : t('The database {{name}} does not answer at the moment, so its tables were not compared.', {
                name,
              })}
        </Notice>
      ))}
      {data && changed.length === 0 && (
        <Empty
          icon="check-circle"
          title={t('No change identified')}
          text={t('The tables, columns and links of the project are those of its database.')}
        />
      )}
      <OutwardKeys tables={data ?? []} />
      {changed.length > 0 && (
        <>
          <ul className="tables-sync">
            {shown.map((table) => (
              <li key={table.table_name}>
                <strong>
                  <i className={`pi pi-${table.type === 'view' ? 'eye' : 'table'}`} aria-hidden="true" />{' '}
                  {table.title ?? table.table_name}
                </strong>
                <ul>
                  {table.detectedChanges
                    .filter((change) => !isRenamed(change, table, changed, renames))
                    .map((change, index) => {
                      const renaming = renamingOf(change, table, changed);
                      return (
                        <li key={index}>
                          {wordsOf(change, t)}
                          {renaming && (
                            <RenameChoice
                              what={change.cn ?? table.title ?? table.table_name}
                              renaming={renaming}
                              value={renames.get(renaming.id) ?? ''}
                              onChange={(name) => setChosen(new Map(chosen).set(renaming.id, name))}
                            />
                          )}
                        </li>
                      );
                    })}
                </ul>
              </li>
            ))}
          </ul>
          <p className="tables-sync-note">
            {t('What is gone goes to the trash of the project. Views and settings of everything else stay.')}
          </p>
          <footer className="tables-sync-actions">
            <WorkButton isBusy={isBusy} onClick={refetch}>
              {t('Compare again')}
            </WorkButton>
            <WorkButton
              className="tr-button tr-button--primary"
              isBusy={isBusy}
              onClick={() => void submit()}
            >
              {isBusy ? t('Taking over …') : t('Take over')}
            </WorkButton>
          </footer>
        </>
      )}
    </Dialog>
  );
}

function wordsOf({ type, msg, cn = '', tn = '', rtn = '', rcn = '' }: DetectedChange, t: Translate): string {
  switch (type) {
    case 'TABLE_NEW':
      return t('New table');
    case 'VIEW_NEW':
      return t('New view of the database');
    case 'TABLE_REMOVE':
    case 'VIEW_REMOVE':
      return t('Is gone from the database');
    case 'TABLE_COLUMN_ADD':
    case 'VIEW_COLUMN_ADD':
      return t('New column {{column}}', { column: cn });
    case 'TABLE_COLUMN_REMOVE':
    case 'VIEW_COLUMN_REMOVE':
      return t('Column {{column}} is gone', { column: cn });
    case 'TABLE_COLUMN_TYPE_CHANGE':
      return t('Column {{column}} has another type', { column: cn });
    case 'TABLE_COLUMN_RULES_CHANGE':
      return t('Column {{column}} has other rules: key, required or computed', { column: cn });
    case 'TABLE_RELATION_ADD':
      return t('New link from {{from}} to {{to}}', { from: `${tn}.${cn}`, to: `${rtn}.${rcn}` });
    case 'TABLE_RELATION_REMOVE':
      return t('The link from {{from}} to {{to}} is gone', { from: `${tn}.${cn}`, to: `${rtn}.${rcn}` });
    default:
      return msg;
  }
}
