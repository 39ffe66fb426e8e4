import { columnContext, useT, type CellProps } from '@trellis/sdk/web';
import { formula, type FormulaCell as Value } from '../shared/formula-type.ts';
import { addressOf, type FormulaOptions } from '../shared/options.ts';
import { linkOf } from './links.ts';
import { showFormula } from './show-formula.ts';

/** What a formula gives, in the column's own format; why there is nothing where it is broken. */
export function FormulaCell({ value, column }: CellProps<Value, FormulaOptions>) {
  const t = useT();
  const { error } = (column.colOptions ?? {}) as { readonly error?: string | null };
  if (error)
    return (
      <span className="cf-broken" title={error}>
        <i className="pi pi-exclamation-triangle" aria-hidden="true" /> {t('Broken formula')}
      </span>
    );
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean')
    return (
      <i
        className={value ? 'pi pi-check-square cf-yes' : 'pi pi-stop cf-no'}
        role="img"
        aria-label={value ? t('Yes') : t('No')}
      />
    );
  const text = showFormula(value, columnContext(column, formula));
  const href = linkOf(addressOf(value));
  if (href === undefined)
    return (
      <span className={isNumber(column, value) ? 'cf-value cf-value--number' : 'tr-cell cf-value'}>
        {text}
      </span>
    );
  return (
    <a
      className="cf-link"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={-1}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </a>
  );
}

function isNumber(column: CellProps['column'], value: Value): boolean {
  return typeof value === 'number' || (column.meta as Partial<FormulaOptions> | null)?.result === 'number';
}
