import { useT } from '@trellis/sdk/web';
import type { FilterItem, FilterPatch } from './use-filter-edits.ts';

/** How a filter joins the ones before it; the first has nothing to join. */
export function FilterJoin(props: {
  readonly filter: FilterItem;
  readonly isFirst: boolean;
  readonly isLocked: boolean;
  readonly onChange: (patch: FilterPatch) => void;
}) {
  const t = useT();
  if (props.isFirst) return <span className="views-word">{t('where')}</span>;
  return (
    <select
      className="views-select views-select--join"
      aria-label={t('Joined by')}
      disabled={props.isLocked}
      value={props.filter.logical_op}
      onChange={(event) => props.onChange({ logical_op: event.target.value === 'or' ? 'or' : 'and' })}
    >
      <option value="and">{t('and')}</option>
      <option value="or">{t('or')}</option>
      {props.filter.logical_op === 'not' && <option value="not">{t('and not')}</option>}
    </select>
  );
}
