import type { FilterNode, ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { useHost, useRegistry, useSave, useTable } from '@trellis/sdk/web';
import { Choices, Dialog, ErrorNotice, Form, Select, Skeleton } from '@trellis/sdk/web/ui';
import { FilterEditor, isSameTree } from '@trellis/sdk/web/views';
import { useState } from 'react';
import type { RowRule, RuleLimit } from '../shared/index.ts';
import { rulesTag, saveRequest } from './rule-requests.ts';

/** A role that a rule can apply to. */
export interface RoleChoice {
  readonly value: string;
  readonly label: string;
}

/** Creates or changes a rule: its table, its role, and the conditions for its rows. */
export function RuleDialog(props: {
  readonly project: ProjectEntity;
  readonly rule: RowRule | undefined;
  /** All rules: a table has at most one for each role. */
  readonly rules: readonly RowRule[];
  readonly tables: readonly TableEntity[];
  readonly roles: readonly RoleChoice[];
  readonly onClose: () => void;
}) {
  const { project, rule, rules, tables, roles, onClose } = props;
  const host = useHost();
  const { t } = host;
  const { isBusy, problem, setProblem, save, conflict } = useSave({
    revision: rule?.revision ?? null,
    tags: [rulesTag(project)],
    onTakeTheirs: onClose,
  });
  const [tableId, setTable] = useState(rule?.tableId ?? tables[0]?.id ?? '');
  const [role, setRole] = useState(rule?.role ?? roles[0]?.value ?? '');
  const [limits, setLimits] = useState<RuleLimit>(rule?.limits ?? 'see');
  const [filters, setFilters] = useState<readonly FilterNode[]>(rule?.filters ?? []);
  const table = useTable(tableId);
  const types = useRegistry('columnTypes');
  const columns = (table.data?.columns ?? []).filter(
    ({ virtual, uidt, system }) =>
      !system && (virtual !== true || types.some(({ id, operators }) => id === uidt && operators.length > 0)),
  );
  const isTaken =
    rule === undefined && rules.some((other) => other.tableId === tableId && other.role === role);

  async function submit() {
    if (isTaken) return setProblem(t('This role has a rule for this table already. Change that one.'));
    if (filters.length === 0) return setProblem(t('Please say which rows are there for the role.'));
    const isSaved = await save((replaces) =>
      host.api.request(saveRequest(project, { tableId, role }, { filters, limits, replaces })),
    );
    if (!isSaved) return;
    host.toast({ severity: 'success', summary: t('The rule holds from now on') });
    onClose();
  }

  return (
    <Dialog
      title={rule === undefined ? t('New rule') : t('Change the rule')}
      width={720}
      isBusy={isBusy}
      isUnsaved={!isSameTree(filters, rule?.filters ?? []) || limits !== (rule?.limits ?? 'see')}
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
        <div className="row-rules-place">
          <label className="tr-field">
            <span>{t('Table')}</span>
            <Select<string>
              label={t('Table')}
              value={tableId}
              disabled={rule !== undefined}
              options={tables.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(id) => {
                setTable(id);
                setFilters([]);
              }}
            />
          </label>
          <label className="tr-field">
            <span>{t('Role')}</span>
            <Select<string>
              label={t('Role')}
              value={role}
              disabled={rule !== undefined}
              options={roles}
              onChange={setRole}
            />
          </label>
        </div>
        <Choices<RuleLimit>
          label={t('What the rule limits')}
          value={limits}
          options={[
            { value: 'see', label: t('Which rows are there') },
            { value: 'change', label: t('Which rows are changed') },
          ]}
          onChange={setLimits}
        />
        <p className="tr-note">
          {limits === 'change'
            ? t(
                'Every row is seen, and only these are changed, deleted and added. In a column of people, “me” is whoever looks.',
              )
            : t(
                'A row that the role would not see cannot be added either. In a column of people, “me” is whoever looks.',
              )}
        </p>
        {table.error && <ErrorNotice message={table.error.message} onRetry={table.refetch} />}
        {!table.error && table.data === undefined && <Skeleton height={40} />}
        {table.data !== undefined && (
          <FilterEditor
            columns={columns}
            value={filters}
            emptyText={
              limits === 'change'
                ? t('Only rows that meet these conditions are changed by the role.')
                : t('Only rows that meet these conditions are there for the role.')
            }
            onChange={setFilters}
          />
        )}
      </Form>
    </Dialog>
  );
}
