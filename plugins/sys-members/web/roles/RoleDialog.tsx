import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { useHost, useSave, useTables } from '@trellis/sdk/web';
import { Choices, Dialog, ErrorNotice, Form, Skeleton, Switch } from '@trellis/sdk/web/ui';
import { useId, useState } from 'react';
import { baseRoles, type BaseRole, type CustomRole, type CustomRoleInput } from '../../shared/index.ts';
import { teamTag } from '../team-requests.ts';
import { saveRequest, wholeTable, type OfferedPermission } from './role-requests.ts';
import { TableRightsList } from './TableRightsList.tsx';

interface RoleDialogProps {
  readonly project: ProjectEntity;
  readonly role: CustomRole | undefined;
  readonly permissions: readonly OfferedPermission[];
  readonly onClose: () => void;
}

/** Creates or changes a custom role. */
export function RoleDialog(props: RoleDialogProps) {
  const { role, onClose } = props;
  const { t } = useHost();
  const { data, error, refetch } = useTables(props.project.id);
  if (data !== undefined) return <RoleForm {...props} list={data.list} />;
  return (
    <Dialog title={titleOf(t, role)} width={820} onClose={onClose}>
      {error ? <ErrorNotice message={error.message} onRetry={refetch} /> : <Skeleton height={40} count={3} />}
    </Dialog>
  );
}

/** The role, or a new one, with all current tables listed, so that the rule for later tables applies to none of them. */
function startOf(role: CustomRole | undefined, list: readonly TableEntity[]): CustomRoleInput {
  const unnamed = wholeTable(role?.newTables ?? 'write');
  const tables = Object.fromEntries(list.map(({ id }) => [id, role?.tables[id] ?? unnamed]));
  return {
    title: role?.title ?? '',
    description: role?.description ?? '',
    base: role?.base ?? 'editor',
    denied: role?.denied ?? [],
    tables: { ...role?.tables, ...tables },
    newTables: role?.newTables ?? 'none',
  };
}

function RoleForm(props: RoleDialogProps & { readonly list: readonly TableEntity[] }) {
  const { project, role, permissions, list, onClose } = props;
  const host = useHost();
  const { t } = host;
  const id = useId();
  const { isBusy, problem, setProblem, save, conflict } = useSave({
    revision: role?.revision ?? null,
    tags: [teamTag(project.id), 'projects'],
    onTakeTheirs: onClose,
  });
  const [start] = useState(() => startOf(role, list));
  const [draft, setDraft] = useState(start);
  const change = (patch: Partial<CustomRoleInput>) => setDraft({ ...draft, ...patch });
  const ofBase = permissions.filter(({ roles }) => roles.includes(draft.base));

  async function submit() {
    if (draft.title.trim() === '') return setProblem(t('Please give the role a name.'));
    const denied = draft.denied.filter((of) => ofBase.some((permission) => permission.id === of));
    const said = { ...draft, denied };
    const isSaved = await save((replaces) =>
      host.api.request(saveRequest(project, role?.id, said, replaces)),
    );
    if (!isSaved) return;
    const title = draft.title.trim();
    host.toast({ severity: 'success', summary: t('The role {{title}} was saved', { title }) });
    onClose();
  }

  return (
    <Dialog
      title={titleOf(t, role)}
      width={820}
      isBusy={isBusy}
      isUnsaved={JSON.stringify(draft) !== JSON.stringify(start)}
      onClose={onClose}
    >
      <Form
        submitLabel={t('Save')}
        isBusy={isBusy}
        problem={problem}
        conflict={conflict}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <div className="tr-field">
          <label htmlFor={`${id}-title`}>{t('Name of the role')}</label>
          <input
            id={`${id}-title`}
            className="p-inputtext p-component"
            value={draft.title}
            maxLength={80}
            autoFocus
            onChange={(event) => change({ title: event.target.value })}
          />
        </div>
        <div className="tr-field">
          <label htmlFor={`${id}-about`}>{t('What it is for')}</label>
          <input
            id={`${id}-about`}
            className="p-inputtext p-component"
            value={draft.description}
            maxLength={1000}
            onChange={(event) => change({ description: event.target.value })}
          />
        </div>
        <div className="tr-field">
          <span>{t('At the most it may do what this role may')}</span>
          <Choices<BaseRole>
            label={t('At the most it may do what this role may')}
            value={draft.base}
            options={baseRoles.map((value) => ({ value, label: t(value) }))}
            onChange={(base) => change({ base })}
          />
        </div>
        <TableRightsList list={list} writes={draft.base === 'editor'} rights={draft} onChange={change} />
        <details className="team-permissions">
          <summary>{t('Further permissions')}</summary>
          <ul>
            {ofBase.map((permission) => (
              <li key={permission.id}>
                <Switch
                  checked={!draft.denied.includes(permission.id)}
                  onChange={(isGiven) =>
                    change({
                      denied: isGiven
                        ? draft.denied.filter((of) => of !== permission.id)
                        : [...draft.denied, permission.id],
                    })
                  }
                >
                  {t(permission.label)}
                </Switch>
              </li>
            ))}
          </ul>
        </details>
      </Form>
    </Dialog>
  );
}

function titleOf(t: ReturnType<typeof useHost>['t'], role: CustomRole | undefined): string {
  return role === undefined ? t('New role') : t('Role {{title}}', { title: role.title });
}
