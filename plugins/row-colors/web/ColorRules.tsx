import { darkSwatches, type ColumnEntity, type FilterGround } from '@trellis/sdk/shared';
import { useRegistry, useT, type Translate } from '@trellis/sdk/web';
import { ColorField, Grip, moved, useSortable } from '@trellis/sdk/web/ui';
import { columnsAsked, FilterEditor, newCondition, type OffersComparison } from '@trellis/sdk/web/views';
import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { columnsIn, mostRules, type ColorRule } from '../shared/index.ts';
import { groundOf } from './coloring.ts';
import { canDecide, problemOfRule, type RuleProblem } from './rule-problem.ts';

interface ColorRulesProps {
  readonly columns: readonly ColumnEntity[];
  readonly rules: readonly ColorRule[];
  readonly isLocked: boolean;
  readonly onChange: (rules: readonly ColorRule[]) => void;
}

/** The rules that colour rows, in the order in which they are checked. */
export function ColorRules({ columns, rules, isLocked, onChange }: ColorRulesProps): ReactNode {
  const t = useT();
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const types = useRegistry('columnTypes');
  const operators = useRegistry('filterOperators');
  const ground = groundOf(columns, types, operators);
  const asked = columnsAsked(columns, types).filter(({ id }) => ground.columns.has(id));
  const offers: OffersComparison = (column, operator) => canDecide(column.id, operator.id, ground);
  const sortable = useSortable(rules.length, (from, to) => onChange(moved(rules, from, to)));

  function add() {
    const [first] = asked;
    const color = darkSwatches.find((one) => rules.every((rule) => rule.color !== one)) ?? darkSwatches[0];
    const possible = first === undefined ? operators : operators.filter((of) => offers(first, of));
    onChange([...rules, { id: newId(), color, filters: [newCondition(first, types, possible)] }]);
  }

  function remove(index: number) {
    flushSync(() => onChange(rules.toSpliced(index, 1)));
    const left = list.current?.querySelectorAll<HTMLElement>('.rc-remove');
    (left?.[Math.min(index, rules.length - 2)] ?? addButton.current)?.focus();
  }

  return (
    <>
      {rules.length === 0 && (
        <p className="tr-note">
          {t('Rows that meet the conditions of a rule get its colour; the first rule that fits decides.')}
        </p>
      )}
      <ol ref={list} className="rc-rules" aria-label={t('Rules')}>
        {rules.map((rule, index) => {
          const name = t('rule {{number}}', { number: index + 1 });
          const change = (next: ColorRule) => onChange(rules.with(index, next));
          return (
            <li key={rule.id} className="rc-rule" {...sortable.row(index)}>
              <div className="rc-head">
                {!isLocked && rules.length > 1 && (
                  <Grip
                    label={t('Move {{name}}: arrow up or down', { name })}
                    handle={sortable.handle(index)}
                  />
                )}
                <ColorField
                  label={t('Colour of {{name}}', { name })}
                  value={rule.color}
                  colors={darkSwatches}
                  disabled={isLocked}
                  onChange={(color) => change({ ...rule, color })}
                />
                <span className="rc-words">{index === 0 ? t('Rows') : t('Other rows')}</span>
                {!isLocked && (
                  <button
                    type="button"
                    className="tr-icon-button tr-icon-button--small rc-remove"
                    aria-label={t('Remove {{name}}', { name })}
                    title={t('Remove {{name}}', { name })}
                    onClick={() => remove(index)}
                  >
                    <i className="pi pi-trash" aria-hidden="true" />
                  </button>
                )}
              </div>
              <FilterEditor
                columns={withGone(asked, columns, rule)}
                value={rule.filters}
                readOnly={isLocked}
                offers={offers}
                emptyText={t('Without a condition the rule colours nothing.')}
                onChange={(filters) => change({ ...rule, filters })}
              />
              <Problem {...{ rule, ground, columns }} />
            </li>
          );
        })}
      </ol>
      {!isLocked && asked.length > 0 && rules.length < mostRules && (
        <button ref={addButton} type="button" className="tr-action" onClick={add}>
          <i className="pi pi-plus" aria-hidden="true" /> {t('Add rule')}
        </button>
      )}
    </>
  );
}

/** Includes the rule's columns that can no longer be chosen, so that their names are shown. */
function withGone(
  asked: readonly ColumnEntity[],
  columns: readonly ColumnEntity[],
  { filters }: ColorRule,
): readonly ColumnEntity[] {
  const ids = columnsIn(filters);
  const others = columns.filter((column) => ids.includes(column.id) && !asked.includes(column));
  return others.length === 0 ? asked : [...asked, ...others];
}

interface ProblemProps {
  readonly rule: ColorRule;
  readonly ground: FilterGround;
  readonly columns: readonly ColumnEntity[];
}

/** A rule's problem; not shown for a rule that was just added. */
function Problem({ rule, ground, columns }: ProblemProps): ReactNode {
  const t = useT();
  const problem = problemOfRule(rule, ground, columns);
  if (problem === undefined || problem.kind === 'unfinished') return null;
  return <p className="tr-field-problem">{wordsOf(problem, t)}</p>;
}

function wordsOf(problem: RuleProblem, t: Translate): string {
  switch (problem.kind) {
    case 'column':
      return t('A column of this rule is gone, so it colours nothing.');
    case 'option':
      return t('“{{column}}” has no option “{{option}}” any more, so the rule colours nothing.', {
        column: problem.column,
        option: problem.option,
      });
    case 'operator':
      return t(
        'A comparison of this rule belongs to a plugin that is switched off or removed, so it colours nothing.',
      );
    case 'value':
      return t('A value of this rule does not suit its column, so it colours nothing.');
    default:
      return t('Only the database can tell which rows meet this rule, so it colours nothing.');
  }
}

/** An id for a new rule. */
function newId(): string {
  return `rc_${Math.random().toString(36).slice(2, 12)}`;
}
