import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost } from '@trellis/sdk/web';
import { Empty, ErrorNotice, MenuButton, PageHead, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { VariableEntity } from '../shared/index.ts';
import { VariableDialog } from './VariableDialog.tsx';
import { removeRequest, useVariables, variablesTag } from './variable-requests.ts';

/** The variables of a project. */
export default function VariablesTab({ project }: { readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const { data, error, refetch } = useVariables(project);
  const [open, setOpen] = useState<{ readonly variable?: VariableEntity }>();
  const maySet = hasPermission('variableSet', project);
  const list = data?.list ?? [];

  async function remove(variable: VariableEntity) {
    const { name } = variable;
    const isMeant = await host.confirm({
      title: t('Delete the variable {{name}}?', { name }),
      message: t('Webhooks and automations that name it send nothing more until it is there again.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!isMeant) return;
    try {
      await host.api.request(removeRequest(project, variable));
    } catch (failure) {
      const detail = messageOfError(failure, t);
      host.toast({ severity: 'error', summary: t('The variable is still there'), detail });
    }
    host.invalidate([variablesTag(project)]);
  }

  return (
    <section className="tr-page">
      <PageHead
        title={t('Variables')}
        about={t(
          'Webhooks and automations of the project put them into addresses, headers and texts: {{example}}.',
          { example: '{{env.NAME}}' },
        )}
      >
        {maySet && data !== undefined && (
          <button type="button" className="tr-button tr-button--primary" onClick={() => setOpen({})}>
            <i className="pi pi-plus" aria-hidden="true" /> {t('New variable')}
          </button>
        )}
      </PageHead>
      {error !== undefined && data === undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {error === undefined && data === undefined && <Skeleton height={56} count={3} />}
      {data !== undefined && list.length === 0 && (
        <Empty
          icon="hashtag"
          title={t('There is no variable yet')}
          text={t('Keep here what several messages need, such as the key of another program.')}
        />
      )}
      <ul className="variables-list" aria-label={t('Variables')}>
        {list.map((variable) => (
          <li key={variable.name}>
            <span className="variables-name">
              <code>{variable.name}</code>
              <small>{variable.value === null ? `••• · ${t('secret')}` : variable.value || t('empty')}</small>
            </span>
            {maySet && (
              <MenuButton
                label={t('What to do with {{name}}', { name: variable.name })}
                actions={[
                  {
                    id: 'edit',
                    label: t('Change'),
                    icon: 'pencil',
                    run: () => setOpen({ variable }),
                  },
                  {
                    id: 'remove',
                    label: t('Delete'),
                    icon: 'trash',
                    danger: true,
                    run: () => void remove(variable),
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      {open && (
        <VariableDialog project={project} variable={open.variable} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}
