import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, useHost, useServerData, useTables } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useId } from 'react';
import { auditTypes } from '../shared/index.ts';
import { everything, peopleRequest, type AuditChoice } from './audit-requests.ts';
import { typeLabels } from './audit-words.ts';

/** Whose lines are shown, of which kind, about which table and of which days. */
export function AuditFilters(props: {
  readonly project: ProjectEntity;
  readonly choice: AuditChoice;
  readonly onChoose: (patch: Partial<AuditChoice>) => void;
}) {
  const { project, choice, onChoose } = props;
  const { t } = useHost();
  const tables = useTables(project.id);
  const people = useServerData<{ readonly users: Page<{ readonly email: string }> }>(
    hasPermission('userList', project) ? peopleRequest(project) : undefined,
    { tags: [`team:${project.id}`] },
  );
  const emails = new Set(people.data?.users.list.map(({ email }) => email));
  // Somebody who left is chosen by a click on one of their lines.
  if (choice.user !== '') emails.add(choice.user);
  const isAsking = Object.values(choice).some((value) => value !== '');

  return (
    <div className="audit-filters" role="group" aria-label={t('What is shown')}>
      <Select<string>
        label={t('Person')}
        value={choice.user}
        options={[
          { value: '', label: t('Everybody') },
          ...[...emails].toSorted().map((email) => ({ value: email, label: email })),
        ]}
        onChange={(user) => onChoose({ user })}
      />
      <Select<string>
        label={t('Kind')}
        value={choice.type}
        options={[
          { value: '', label: t('Everything') },
          ...auditTypes.map((type) => ({ value: type as string, label: t(typeLabels[type]?.label ?? type) })),
        ]}
        onChange={(type) => onChoose({ type })}
      />
      <Select<string>
        label={t('Table')}
        value={choice.table}
        options={[
          { value: '', label: t('Every table') },
          ...(tables.data?.list ?? []).map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={(table) => onChoose({ table })}
      />
      <Day label={t('From')} value={choice.from} max={choice.until} onChange={(from) => onChoose({ from })} />
      <Day
        label={t('Until')}
        value={choice.until}
        min={choice.from}
        onChange={(until) => onChoose({ until })}
      />
      {isAsking && (
        <button type="button" className="tr-link" onClick={() => onChoose(everything)}>
          {t('Show everything')}
        </button>
      )}
    </div>
  );
}

function Day(props: {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}) {
  const id = useId();
  return (
    <span className="audit-day">
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        type="date"
        className="tr-text-input"
        value={props.value}
        min={props.min}
        max={props.max}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </span>
  );
}
