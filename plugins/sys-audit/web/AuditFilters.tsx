import { hostObjectKinds } from '@trellis/sdk/shared';
import { hasPermission, objectsTag, useHost, useServerData, useSession, useTables } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useId } from 'react';
import { auditTypes, serverAuditTypes } from '../shared/index.ts';
import {
  emailsOf,
  everything,
  peopleRequest,
  type AuditChoice,
  type AuditProject,
  type People,
} from './audit-requests.ts';
import { typeLabels } from './audit-words.ts';

/** Filters the lines by person, kind and days, and in a project by table. */
export function AuditFilters(props: {
  readonly project: AuditProject;
  readonly choice: AuditChoice;
  readonly onChoose: (patch: Partial<AuditChoice>) => void;
}) {
  const { project, choice, onChoose } = props;
  const { t } = useHost();
  const { user } = useSession();
  const tables = useTables(project?.id);
  const seesPeople = hasPermission(project === undefined ? 'accountList' : 'userList', project ?? user);
  const people = useServerData<People>(seesPeople ? peopleRequest(project) : undefined, {
    tags:
      project === undefined
        ? [objectsTag(hostObjectKinds.accounts)]
        : [objectsTag('team', project.id), 'projects'],
  });
  const emails = new Set(emailsOf(people.data));
  // A person who has left is chosen by a click on one of their lines.
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
        onChange={(person) => onChoose({ user: person })}
      />
      <Select<string>
        label={t('Kind')}
        value={choice.type}
        options={[
          { value: '', label: t('Everything') },
          ...(project === undefined ? serverAuditTypes : auditTypes).map((type) => ({
            value: type as string,
            label: t(typeLabels[type]?.label ?? type),
          })),
        ]}
        onChange={(type) => onChoose({ type })}
      />
      {project !== undefined && (
        <Select<string>
          label={t('Table')}
          value={choice.table}
          options={[
            { value: '', label: t('Every table') },
            ...(tables.data?.list ?? []).map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(table) => onChoose({ table })}
        />
      )}
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
