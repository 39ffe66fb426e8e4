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
    ? t('New names take letters, digits and _ alone. Names that are there stay as they are.')
    : t('New names take other characters too.');
  toast({ severity: 'success', summary });
}

/** The entries of a project's menu that say which characters names of tables and columns may have; one of them is offered. */
export const strictNames: readonly MenuItem[] = [
  {
    id: 'tables.strict-names',
    menu: 'project',
    label: 'Allow only letters, digits and _ in names',
    icon: 'lock',
    order: 70,
    permission: 'projectUpdate',
    when: (context) => context.project !== undefined && !isStrict(context),
    run: (context, actions) => setStrict(context, actions, true),
  },
  {
    id: 'tables.free-names',
    menu: 'project',
    label: 'Allow other characters in names',
    icon: 'lock-open',
    order: 70,
    permission: 'projectUpdate',
    when: isStrict,
    run: (context, actions) => setStrict(context, actions, false),
  },
];
