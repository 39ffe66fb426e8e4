import { cellShapes, type FilterEntity, type ProjectEntity } from '@trellis/sdk/shared';
import { askBeforeLeaving, useHost, useSave, useTable, useTables, useVariableNames } from '@trellis/sdk/web';
import {
  ErrorNotice,
  Form,
  MenuButton,
  moved,
  PageHead,
  Select,
  Skeleton,
  TextField,
} from '@trellis/sdk/web/ui';
import { FilterEditor, toFilterBody, toFilterNode } from '@trellis/sdk/web/views';
import { useEffect, useState } from 'react';
import {
  foundTable,
  isAsked,
  outputsOf,
  type AutomationDefinition,
  type AutomationEntity,
  type KindsEntity,
  type StepDefinition,
  type TemplateNames,
} from '../shared/index.ts';
import { automationsTag, saveRequest, useKinds } from './automation-requests.ts';
import { definitionOf, emptyDefinition, newStep, withTrigger } from './draft.ts';
import { CardNotice } from './CardNotice.tsx';
import { InputField } from './InputField.tsx';
import { StepCard } from './StepCard.tsx';
import { TryPanel } from './TryPanel.tsx';
import { useCardProblem } from './use-card-problem.ts';
import { useFiltered } from './use-filtered.ts';

interface AutomationEditorProps {
  readonly project: ProjectEntity;
  readonly automation: AutomationEntity | undefined;
  /** The table that a new one is about, until another one is chosen. */
  readonly tableId: string | undefined;
  readonly onDone: () => void;
}

/** Makes an automation or changes one, once what it can be made of is known. */
export function AutomationEditor(props: AutomationEditorProps) {
  const { data, error, refetch } = useKinds(props.project);
  if (error !== undefined && data === undefined)
    return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={56} count={5} />;
  return <AutomationForm {...props} kinds={data} />;
}

function AutomationForm(props: AutomationEditorProps & { readonly kinds: KindsEntity }) {
  const { project, automation, kinds, onDone } = props;
  const host = useHost();
  const { t } = host;
  const { isBusy, problem, setProblem, save, conflict } = useSave({
    revision: automation?.revision ?? null,
    tags: [automationsTag(project)],
    onTakeTheirs: onDone,
  });
  const saved = automation === undefined ? emptyDefinition(props.tableId) : definitionOf(automation);
  const [draft, setDraft] = useState<AutomationDefinition>(saved);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const tables = useTables(project.id).data?.list ?? [];
  const trigger = kinds.triggers.find(({ id }) => id === draft.trigger.type);
  const rowTable = trigger?.table ?? undefined;
  const tableId = rowTable === undefined ? undefined : draft.trigger.settings[rowTable];
  const table = useTable(typeof tableId === 'string' ? tableId : undefined);
  const variables = useVariableNames(project.id);
  const columns = table.data?.columns ?? [];
  const filtered = useFiltered(columns);
  const { cardProblem, keepProblem, forget } = useCardProblem(draft, trigger?.label);
  const isWithoutStep = draft.steps.length === 0;
  const patch = (change: Partial<AutomationDefinition>) => setDraft((now) => ({ ...now, ...change }));

  useEffect(() => (isChanged ? askBeforeLeaving() : undefined), [isChanged]);

  const kindOutputs = ({ type }: StepDefinition) => kinds.steps.find(({ id }) => id === type)?.outputs ?? [];
  const namesAt = (index: number): TemplateNames => ({
    columns: rowTable === undefined ? undefined : cellShapes(columns.filter(({ system }) => system !== true)),
    variables,
    trigger: trigger?.values ?? [],
    isNew: trigger?.onlyNew === true,
    steps: draft.steps.slice(0, index).map((step) => ({
      name: step.name.trim(),
      outputs: outputsOf(step, kindOutputs(step)),
    })),
  });
  const sourcesAt = (index: number) =>
    draft.steps.slice(0, index).flatMap((step) => {
      const found = foundTable(step, kindOutputs(step));
      return found === undefined ? [] : [{ id: step.id, name: step.name, table: found }];
    });

  async function leave() {
    const isMeant =
      !isChanged ||
      (await host.confirm({
        title: t('Leave without saving?'),
        message: t('What you changed of this automation is lost.'),
        confirmLabel: t('Leave'),
        danger: true,
      }));
    if (isMeant) onDone();
  }

  async function submit() {
    forget();
    if (draft.title.trim() === '') return setProblem(t('Please give the automation a name.'));
    const isSaved = await save((replaces) =>
      keepProblem(() => host.api.request(saveRequest(project, automation, draft, replaces))),
    );
    if (!isSaved) return;
    host.toast({
      severity: 'success',
      summary: t('The automation is saved'),
      ...(isWithoutStep && { detail: t('It has no step yet, so it is switched off.') }),
    });
    onDone();
  }

  return (
    <section className="tr-page automations-editor">
      <PageHead
        title={automation === undefined ? t('New automation') : t('Change the automation')}
        onBack={() => void leave()}
      />
      <Form
        submitLabel={t('Save')}
        isBusy={isBusy}
        problem={
          cardProblem === undefined ? problem : t('It is not saved yet: please see the part that is marked.')
        }
        conflict={conflict}
        cancelLabel={t('Back')}
        onSubmit={() => void submit()}
        onCancel={() => void leave()}
      >
        <TextField
          label={t('Name')}
          value={draft.title}
          maxLength={255}
          autoFocus
          onChange={(title) => patch({ title })}
        />
        <h3>{t('When')}</h3>
        <section className="automations-card" aria-label={t('When')}>
          <CardNotice card="when" problem={cardProblem} />
          <label className="tr-field">
            <span>{t('What happens')}</span>
            <Select<string>
              label={t('What happens')}
              value={draft.trigger.type}
              options={kinds.triggers.map(({ id, label }) => ({
                value: id,
                label: t(label),
              }))}
              onChange={(type) => {
                const kind = kinds.triggers.find(({ id }) => id === type);
                if (kind !== undefined) patch(withTrigger(draft, kind));
              }}
            />
          </label>
          {trigger?.inputs
            .filter((input) => isAsked(input, draft.trigger.settings))
            .map((input) => (
              <InputField
                key={input.id}
                project={project}
                input={input}
                inputs={trigger.inputs}
                settings={draft.trigger.settings}
                tables={tables}
                kinds={kinds}
                names={namesAt(0)}
                onChange={(settings) =>
                  patch({
                    trigger: { ...draft.trigger, settings },
                    // Conditions on the columns of another table mean nothing.
                    ...(settings.table !== draft.trigger.settings.table && {
                      conditions: [],
                    }),
                  })
                }
              />
            ))}
          {table.data !== undefined && (
            <fieldset className="automations-cells">
              <legend>{t('Only for rows that meet conditions')}</legend>
              <FilterEditor
                columns={filtered}
                value={(draft.conditions as readonly FilterEntity[]).map(toFilterNode)}
                emptyText={t('Without a condition every row counts.')}
                onChange={(nodes) => patch({ conditions: nodes.map(toFilterBody) })}
              />
            </fieldset>
          )}
        </section>
        <h3>{t('Then')}</h3>
        {draft.steps.map((step, index) => (
          <StepCard
            key={step.id}
            project={project}
            step={step}
            index={index}
            count={draft.steps.length}
            kinds={kinds}
            tables={tables}
            names={namesAt(index)}
            sources={sourcesAt(index)}
            problem={cardProblem}
            onChange={(changed) =>
              patch({
                steps: draft.steps.map((of) => (of.id === step.id ? changed : of)),
              })
            }
            onMove={(by) => patch({ steps: moved(draft.steps, index, index + by) })}
            onRemove={() => {
              if (cardProblem?.card === step.id) setProblem(undefined);
              patch({ steps: draft.steps.filter(({ id }) => id !== step.id) });
            }}
          />
        ))}
        <MenuButton
          label={t('Add a step')}
          className="tr-button"
          actions={kinds.steps.map((kind) => ({
            id: kind.id,
            label: t(kind.label),
            icon: kind.icon,
            run: () => patch({ steps: [...draft.steps, newStep(kind, draft.steps)] }),
          }))}
        >
          <i className="pi pi-plus" aria-hidden="true" /> {t('Add a step')}
        </MenuButton>
        {isWithoutStep ? (
          <p className="tr-note">{t('Without a step it is saved switched off.')}</p>
        ) : (
          <TryPanel
            project={project}
            definition={draft}
            table={rowTable === undefined ? undefined : table.data}
          />
        )}
        <p className="tr-note">
          {t('It runs with the rights of whoever saves it, also while they are away.')}
        </p>
      </Form>
    </section>
  );
}
