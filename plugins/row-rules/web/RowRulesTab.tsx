import type { FilterNode, ProjectEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, useTables } from '@trellis/sdk/web';
import { Empty, ErrorNotice, MenuButton, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { ruledRoles, type RowRule } from '../shared/index.ts';
import { RuleDialog, type RoleChoice } from './RuleDialog.tsx';
import { removeRequest, rulesTag, useCustomRoles, useRules } from './rule-requests.ts';

/** Which rows of which tables are visible to which roles. */
export default function RowRulesTab({ project }: { readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const rules = useRules(project);
  const ofTables = useTables(project.id);
  const ofRoles = useCustomRoles(project);
  const { data } = rules;
  const tables = ofTables.data?.list;
  const custom = ofRoles.data?.list ?? [];
  // Without the tables or the roles, valid rules could not be distinguished from those without effect.
  const failed = [rules, ofTables, ofRoles].find(({ error, data: read }) => error && read === undefined);
  const isRead = data !== undefined && tables !== undefined && failed === undefined && !ofRoles.isLoading;
  const [open, setOpen] = useState<{ readonly rule?: RowRule }>();
  const roles: readonly RoleChoice[] = [
    ...ruledRoles.map((value) => ({ value: value as string, label: t(value) })),
    ...custom.map(({ id, title }) => ({ value: id, label: title })),
  ];
  const titleOf = (rule: RowRule) => tables?.find(({ id }) => id === rule.tableId)?.title ?? '';
  const roleOf = (rule: RowRule) => roles.find(({ value }) => value === rule.role)?.label;
  // A rule of a deleted custom role applies to nobody.
  const shown = (data?.list ?? [])
    .filter((rule) => titleOf(rule) !== '' && roleOf(rule) !== undefined)
    .toSorted((left, right) => titleOf(left).localeCompare(titleOf(right)));

  function wordsOf(rule: RowRule): string {
    const role = roleOf(rule) ?? '';
    if (rule.isStopped)
      return t(
        '{{role}}: stopped, since an option that it names was deleted. Change the rule, so that it holds again.',
        { role },
      );
    const count = conditionsIn(rule.filters);
    return rule.limits === 'change'
      ? t('{{role}}: changes rows that meet {{count}} conditions', {
          role,
          count,
          one: '{{role}}: changes rows that meet one condition',
        })
      : t('{{role}}: rows that meet {{count}} conditions', {
          role,
          count,
          one: '{{role}}: rows that meet one condition',
        });
  }

  async function remove(rule: RowRule) {
    const names = { table: titleOf(rule), role: roleOf(rule) ?? '' };
    const isMeant = await host.confirm({
      title: t('Take this rule away?'),
      message:
        rule.limits === 'change'
          ? t(
              'Then the role {{role}} changes every row of {{table}} that its permissions let it change.',
              names,
            )
          : t('Then every row of {{table}} is there for the role {{role}}.', names),
      confirmLabel: t('Take away'),
      danger: true,
    });
    if (!isMeant) return;
    try {
      await host.api.request(removeRequest(project, rule));
    } catch (failure) {
      const detail = messageOfError(failure, t);
      host.toast({ severity: 'error', summary: t('The rule is still there'), detail });
    }
    host.invalidate([rulesTag(project)]);
  }

  return (
    <section className="tr-page">
      <PageHead
        title={t('Row rules')}
        about={t(
          'A role sees, counts, exports and changes only the rows that meet its rule. Owners and creators see every row, and what a shared link shows is up to who shared it.',
        )}
      >
        {isRead && tables.length > 0 && (
          <button type="button" className="tr-button tr-button--primary" onClick={() => setOpen({})}>
            <i className="pi pi-plus" aria-hidden="true" /> {t('New rule')}
          </button>
        )}
      </PageHead>
      {failed?.error && <ErrorNotice message={failed.error.message} onRetry={failed.refetch} />}
      {!failed && !isRead && <Skeleton height={56} count={3} />}
      {isRead && shown.length === 0 && (
        <Empty
          icon="filter"
          title={t('No role is limited')}
          text={
            tables.length === 0
              ? t('A rule is about the rows of a table, and this project has no tables yet.')
              : t('Every row is there for everybody in the project.')
          }
        />
      )}
      <ul className="row-rules-list" aria-label={t('Row rules')}>
        {(isRead ? shown : []).map((rule) => (
          <li key={`${rule.tableId} ${rule.role}`}>
            <span className="row-rules-name">
              <strong>{titleOf(rule)}</strong>
              <small>{wordsOf(rule)}</small>
            </span>
            <MenuButton
              label={t('What to do with the rule of {{role}} for {{table}}', {
                role: roleOf(rule) ?? '',
                table: titleOf(rule),
              })}
              actions={[
                { id: 'edit', label: t('Change the rule'), icon: 'pencil', run: () => setOpen({ rule }) },
                {
                  id: 'remove',
                  label: t('Take the rule away'),
                  icon: 'trash',
                  danger: true,
                  run: () => void remove(rule),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      {open && (
        <RuleDialog
          project={project}
          rule={open.rule}
          rules={data?.list ?? []}
          tables={tables ?? []}
          roles={roles}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

function conditionsIn(filters: readonly FilterNode[]): number {
  return filters.reduce((sum, node) => sum + (node.kind === 'group' ? conditionsIn(node.children) : 1), 0);
}
