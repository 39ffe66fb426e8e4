import { useHost } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { Link } from 'react-router-dom';
import type { AuditEntity } from '../shared/index.ts';
import { AuditChanges } from './AuditChanges.tsx';
import { placeOf, type AuditChoice, type AuditProject } from './audit-requests.ts';
import { typeLabels, wordsOf } from './audit-words.ts';

/** One recorded action: what, by whom, when, and a link to its place. */
export function AuditLine(props: {
  readonly project: AuditProject;
  readonly line: AuditEntity;
  readonly onChoose: (patch: Partial<AuditChoice>) => void;
}) {
  const { project, line, onChoose } = props;
  const { t } = useHost();
  const { label, icon } = typeLabels[line.op_type] ?? { label: line.op_type, icon: 'circle' };
  const { user, table_title: table } = line;
  const isThere = table !== null && !(line.op_type === 'TABLE' && line.op_sub_type === 'DELETED');
  // A deleted row has no page.
  const hasRow = line.row_id !== null && line.op_sub_type !== 'DELETE';

  return (
    <li className="audit-line">
      <i className={`pi pi-${icon}`} role="img" aria-label={t(label)} title={t(label)} />
      <span className="audit-what">
        <span>{wordsOf(line, t)}</span>
        {project !== undefined && isThere && (
          <Link
            to={placeOf(project, hasRow ? line : { ...line, row_id: null })}
            aria-label={hasRow ? t('{{table}}, row {{row}}', { table, row: line.row_id ?? '' }) : undefined}
          >
            {table}
          </Link>
        )}
        <AuditChanges changes={line.changes} />
      </span>
      <span className="audit-who">
        {user === null ? (
          <span>{t('The server')}</span>
        ) : (
          <button
            type="button"
            className="tr-link"
            title={t('Show what {{person}} did', { person: user })}
            onClick={() => onChoose({ user })}
          >
            {user}
          </button>
        )}
        <Moment at={line.created_at} />
        {line.ip !== null && <small title={t('The address from which it was done')}>{line.ip}</small>}
      </span>
    </li>
  );
}

function Moment({ at }: { readonly at: string }) {
  const time = new Date(`${at.replace(' ', 'T')}Z`);
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });
  return <time dateTime={time.toISOString()}>{format.format(time)}</time>;
}
