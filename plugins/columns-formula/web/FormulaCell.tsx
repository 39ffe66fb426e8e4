import { columnContext, messageOfRefusal, useT, type CellProps, type Refusal } from '@trellis/sdk/web';
import { formula, type FormulaCell as Value } from '../shared/formula-type.ts';
import { addressOf, type FormulaOptions } from '../shared/options.ts';
import { linkOf } from './links.ts';
import { showFormula } from './show-formula.ts';

interface BrokenOptions {
  readonly error?: string | null;
  /** The problem, if the server found it. */
  readonly problem?: Pick<Refusal, 'code' | 'params'>;
}

/** A formula's result in the column's format; the problem if the formula is broken. */
export function FormulaCell({ value, column }: CellProps<Value, FormulaOptions>) {
  const t = useT();
  const { error, problem } = (column.colOptions ?? {}) as BrokenOptions;
  if (error)
    return (
      <span className="cf-broken" title={messageOfRefusal({ ...problem, msg: error }, t)}>
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
