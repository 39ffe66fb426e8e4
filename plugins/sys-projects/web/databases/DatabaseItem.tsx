import type { BaseEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';

/** One database of a project. */
export function DatabaseItem(props: {
  readonly base: BaseEntity;
  readonly name: string;
  /** Undefined if the person may not change the connection. */
  readonly onEdit: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
}) {
  const { base, name, onEdit, onRemove } = props;
  const t = useT();
  return (
    <li className="projects-database">
      <span className="tr-icon-tile" aria-hidden="true">
        <i className={base.is_meta ? 'pi pi-server' : 'pi pi-database'} />
      </span>
      <span className="projects-database-text">
        <strong>{name}</strong>
        <small>{whatIsAllowed()}</small>
      </span>
      {onEdit && (
        <button type="button" className="tr-button" onClick={onEdit}>
          {t('Edit connection')}
        </button>
      )}
      {onRemove && (
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Take {{database}} out', { database: name })}
          title={t('Take {{database}} out', { database: name })}
          onClick={onRemove}
        >
          <i className="pi pi-trash" aria-hidden="true" />
        </button>
      )}
    </li>
  );

  function whatIsAllowed(): string {
    if (base.is_meta) return t('Tables that are made here');
    if (base.read_only === true) return t('Read only');
    return base.schema_changes === true
      ? t('Rows, tables and columns can be changed from here')
      : t('Rows can be changed from here, tables and columns cannot');
  }
}
