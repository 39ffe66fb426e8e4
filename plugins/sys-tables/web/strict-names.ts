import type { HostActions, MenuContext, MenuItem } from '@trellis/sdk/web';

const isStrict = ({ project }: MenuContext): boolean => project?.meta?.strictNames === true;

async function setStrict(
  { project }: MenuContext,
  { api, invalidate, t, toast }: HostActions,
  strictNames: boolean,
): Promise<void> {
  if (project === undefined) return;
  const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`;
  await api.request({ method: 'PATCH', path, body: { meta: { ...project.meta, strictNames } } });
  invalidate(['projects', `project:${project.id}`]);
  const summary = strictNames
    ? t(
        'New tables and columns are named with letters, digits and _ alone. Names that are there stay as they are.',
      )
    : t('New tables and columns may be named with spaces and other characters again.');
  toast({ severity: 'success', summary });
}

/** The project menu's entries that set which characters names of tables and columns may contain; one of them is shown. */
export const strictNames: readonly MenuItem[] = [
  {
    id: 'tables.strict-names',
    menu: 'project',
    label: 'Keep names simple',
    icon: 'lock',
    order: 70,
    permission: 'projectUpdate',
    when: (context) => context.project !== undefined && !isStrict(context),
    run: (context, actions) => setStrict(context, actions, true),
  },
  {
    id: 'tables.free-names',
    menu: 'project',
    label: 'Allow any names',
    icon: 'lock-open',
    order: 70,
    permission: 'projectUpdate',
    when: isStrict,
    run: (context, actions) => setStrict(context, actions, false),
  },
];
