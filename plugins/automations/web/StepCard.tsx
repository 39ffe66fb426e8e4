import { cellShapes, type ProjectEntity, type TableEntity } from '@trellis/sdk/shared';
import { useHost, useTable } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import {
  isAsked,
  outputsOf,
  type KindsEntity,
  type StepDefinition,
  type TemplateNames,
} from '../shared/index.ts';
import { CardNotice } from './CardNotice.tsx';
import { EachField, type RowSource } from './EachField.tsx';
import { InputField } from './InputField.tsx';
import type { CardProblem } from './use-card-problem.ts';

interface StepCardProps {
  readonly project: ProjectEntity;
  readonly step: StepDefinition;
  readonly index: number;
  readonly count: number;
  readonly kinds: KindsEntity;
  readonly tables: readonly TableEntity[];
  readonly names: TemplateNames;
  /** The steps before it that find rows. */
  readonly sources: readonly RowSource[];
  /** What is wrong with it or with another card. */
  readonly problem: CardProblem | undefined;
  readonly onChange: (step: StepDefinition) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** One step of an automation with its settings. */
export function StepCard(props: StepCardProps) {
  const { project, step, index, count, kinds, tables, sources, onChange, onMove, onRemove } = props;
  const { t } = useHost();
  const kind = kinds.steps.find(({ id }) => id === step.type);
  const source = sources.find(({ id }) => id === step.each?.step);
  const found = useTable(source?.table).data;
  const item = cellShapes((found?.columns ?? []).filter(({ system }) => system !== true));
  const names = { ...props.names, item: source === undefined ? undefined : item };
  const outputs = outputsOf(step, kind?.outputs ?? []);
  const title = `${index + 1}. ${kind === undefined ? step.type : t(kind.label)}`;
  const cell = props.problem?.card === step.id ? props.problem.column : undefined;
  const cellProblem =
    cell === undefined ? undefined : { column: cell, message: props.problem?.message ?? '' };
  const button = (label: string, icon: string, run: () => void, disabled = false) => (
    <button
      type="button"
      className="tr-icon-button"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={run}
    >
      <i className={`pi pi-${icon}`} aria-hidden="true" />
    </button>
  );
  return (
    <section className="automations-card" aria-label={title}>
      <header className="automations-card-head">
        <i className={`pi pi-${kind?.icon ?? 'question-circle'}`} aria-hidden="true" />
        <h4>{title}</h4>
        {button(t('Move up'), 'arrow-up', () => onMove(-1), index === 0)}
        {button(t('Move down'), 'arrow-down', () => onMove(1), index === count - 1)}
        {button(t('Remove the step'), 'trash', onRemove)}
      </header>
      <CardNotice card={step.id} problem={props.problem} />
      {kind === undefined ? (
        <Notice severity="warn">{t('The plugin of this step is switched off.')}</Notice>
      ) : (
        <>
          {kind.inputs
            .filter((input) => isAsked(input, step.settings))
            .map((input) => (
              <InputField
                key={input.id}
                project={project}
                input={input}
                inputs={kind.inputs}
                settings={step.settings}
                tables={tables}
                kinds={kinds}
                cellProblem={cellProblem}
                names={names}
                onChange={(settings) => onChange({ ...step, settings })}
              />
            ))}
          {(sources.length > 0 || step.each !== undefined) && (
            <EachField step={step} sources={sources} onChange={onChange} />
          )}
          {outputs.length > 0 && (
            <label className="tr-field automations-step-name">
              <span>{t('Name of the result for later steps')}</span>
              <input
                className="p-inputtext p-component"
                maxLength={60}
                value={step.name}
                onChange={(event) => onChange({ ...step, name: event.target.value })}
              />
            </label>
          )}
        </>
      )}
    </section>
  );
}
