import type { ColumnEntity, ColumnTypeDefinition } from '@trellis/sdk/shared';
import {
  askBeforeLeaving,
  Contribution,
  useHost,
  useRegistry,
  useShell,
  useT,
  type TableDialogs,
} from '@trellis/sdk/web';
import { Form, Notice, Popover, TextField } from '@trellis/sdk/web/ui';
import { useEffect, useId, useState } from 'react';
import { keptTitle, TrialNotice, UsesNotice } from './ChangeNotices.tsx';
import { ColumnRules, rulesOf, type Rules } from './ColumnRules.tsx';
import { freeName, nameProblem } from './names.ts';
import { NamingNotice } from './NamingNotice.tsx';
import { TypePicker } from './TypePicker.tsx';
import { useColumnTrial } from './use-column-trial.ts';
import { useSaveColumn } from './use-save-column.ts';

type ColumnPanelProps = Parameters<TableDialogs['openColumnPanel']>[0] & { readonly onClose: () => void };

const panelWidth = 340;

/** Adds or edits a column; opens under the column's header, and as a sheet on a phone. */
export default function ColumnPanel({
  table,
  column,
  anchor,
  beforeColumnId,
  view,
  onAdded,
  onClose,
}: ColumnPanelProps) {
  const t = useT();
  const { project, table: open } = useShell().context;
  const { SchemaForm, confirm, toast } = useHost();
  const types = useRegistry('columnTypes');
  // Stored columns cannot become computed ones, nor the reverse.
  const creatable = types.filter(
    (type) => type.creatable !== false && (column === undefined || type.storage !== 'virtual'),
  );
  const others = (table.columns ?? []).filter((of) => of.id !== column?.id);
  const [title, setTitle] = useState(column?.title ?? '');
  const [typeId, setTypeId] = useState(column?.uidt ?? 'SingleLineText');
  const [options, setOptions] = useState<Readonly<Record<string, unknown>>>(column?.meta ?? {});
  // The state when the panel opened: the page reads the column again meanwhile.
  const [before] = useState(column && (column.meta ?? {}));
  const [rules, setRules] = useState(rulesOf(column));
  const [ruleProblem, setRuleProblem] = useState<string>();
  const [description, setDescription] = useState(column?.description ?? '');
  const descriptionId = useId();
  const [isShowingMore, setShowingMore] = useState(
    rules.isRequired || rules.isUnique || rules.isRenewed || rules.defaultValue !== '' || description !== '',
  );
  const [formulasFollow, setFormulasFollow] = useState(true);
  const [problem, setProblem] = useState<string>();
  const isChanged =
    column !== undefined && (typeId !== column.uidt || JSON.stringify(options) !== JSON.stringify(before));
  const trial = useColumnTrial(
    column,
    isChanged && column.virtual !== true && column.pk !== true
      ? { uidt: typeId, ...optionsBody(options, before) }
      : undefined,
  );
  const { save, remove, isSaving } = useSaveColumn({
    table,
    column,
    tried: trial.tried,
    view,
    beforeColumnId,
    onAdded,
    onProblem: setProblem,
    onDone: onClose,
  });
  const type = types.find((of) => of.id === typeId);
  const isOff = column !== undefined && types.every((of) => of.id !== column.uidt);
  const canRetype = column === undefined || (!column.pk && !isOff);
  /** A type that fills the cells itself also keeps them filled. */
  const isTyped = canRetype && type?.editable !== false;
  const isVirtual = column?.virtual === true;

  const form = { title, typeId, options, rules, description };
  const [untouched] = useState(form);
  const isTouched = JSON.stringify(form) !== JSON.stringify(untouched);
  useEffect(() => (isTouched ? askBeforeLeaving() : undefined), [isTouched]);

  // Uses the current table. A save may itself remove the column.
  const isGone =
    column !== undefined &&
    open?.id === table.id &&
    open.columns?.every(({ id }) => id !== column.id) === true &&
    !isSaving;
  useEffect(() => {
    if (!isGone) return;
    toast({
      severity: 'info',
      summary: t('The column “{{title}}” is not there any more.', { title: column?.title ?? '' }),
      ...(isTouched && { detail: t('What you changed of it was not saved.') }),
      life: 8000,
    });
    onClose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- told once, as it was when the column went
  }, [isGone]);

  /** A press outside the panel may be a mistake: entries are discarded only after a confirmation. */
  async function leave() {
    const goes =
      isSaving ||
      !isTouched ||
      (await confirm({
        title: t('Throw the changes away?'),
        message: column
          ? t('This column has changes that are not saved.')
          : t('This column is not added yet.'),
        confirmLabel: t('Throw away'),
        danger: true,
      }));
    if (goes) onClose();
  }

  const label = column ? t('Edit column {{title}}', { title: column.title }) : t('Add column');

  function submit() {
    const taken = others.map((of) => of.title);
    const name =
      title.trim() === '' && column === undefined
        ? freeName(type?.titleOf?.(options) ?? t(type?.label ?? 'Column'), taken)
        : title;
    const wrong = nameProblem('Column', name, taken, project);
    if (wrong !== undefined) return setProblem(t(wrong.text, wrong.values));
    const lack = column === undefined ? type?.lackOf?.(options) : undefined;
    if (lack !== undefined) return setProblem(t(lack));
    // The field shows its own problem.
    if (isTyped && ruleProblem !== undefined) return;
    const body = bodyOf({ name, typeId, options, isTyped, rules, description, column, isOff, before });
    if (Object.keys(body).length === 0) return onClose();
    const stays = !formulasFollow && trial.tried?.naming.some(({ follows }) => follows) === true;
    void save(stays ? { ...body, meta: { ...options, keepFormulas: true } } : body);
  }

  const isRetyped = column !== undefined && typeId !== column.uidt;
  const notices = (
    <>
      {column && (
        <TrialNotice
          trial={trial}
          isRetype={isRetyped}
          keptAs={project?.is_meta === false ? undefined : keptTitle(column)}
        />
      )}
      <NamingNotice
        naming={trial.tried?.naming ?? []}
        follows={formulasFollow}
        onChange={setFormulasFollow}
      />
    </>
  );

  return (
    <Popover label={label} anchor={anchor} width={panelWidth} onClose={() => void leave()}>
      <Form
        submitLabel={column ? t('Save') : t('Add column')}
        busyLabel={t('Saving …')}
        isBusy={isSaving}
        problem={problem}
        aside={
          column &&
          !column.pk && (
            <button
              type="button"
              className="tr-link tr-link--danger"
              aria-disabled={isSaving}
              onClick={() => {
                if (!isSaving) void remove();
              }}
            >
              {t('Delete column')}
            </button>
          )
        }
        onSubmit={submit}
        onCancel={onClose}
      >
        <TextField
          label={t('Name')}
          value={title}
          placeholder={type && (type.titleOf?.(options) ?? t(type.label))}
          autoFocus
          selectOnFocus
          onChange={(next) => {
            setTitle(next);
            setProblem(undefined);
          }}
        />
        {canRetype && !isVirtual && (
          <div className="tr-field">
            <span>{t('Type')}</span>
            <TypePicker
              types={creatable}
              value={typeId}
              onChange={(next) => {
                setTypeId(next.id);
                const own = next.id === column?.uidt ? column.meta : next.newOptions?.();
                setOptions({ ...own, ...optionsTaken(options, type, next) });
                setRules({
                  ...rules,
                  isRenewed: next.id === column?.uidt && column.au,
                  defaultValue: next.id === column?.uidt ? (column.cdf ?? '') : '',
                });
                setRuleProblem(undefined);
                setProblem(undefined);
              }}
            />
          </div>
        )}
        {isRetyped && notices}
        {column && canRetype && isRetyped && <UsesNotice column={column} tried={trial.tried} />}
        {isOff && (
          <Notice severity="warn">
            {t("The plugin of the type '{{type}}' is switched off. The column can be renamed or deleted.", {
              type: column.uidt,
            })}
          </Notice>
        )}
        {canRetype && type?.options && (
          <Contribution registry="columnTypes" id={type.id} what={t(type.label)}>
            {type.OptionsPanel ? (
              <type.OptionsPanel
                options={{ ...type.options.defaults, ...options }}
                project={project}
                table={table}
                columns={table.columns}
                column={column}
                onChange={setOptions}
              />
            ) : (
              <SchemaForm
                schema={type.options.schema}
                value={{ ...type.options.defaults, ...options }}
                onChange={setOptions}
              />
            )}
          </Contribution>
        )}
        {/* Placed below the options, which must not move while somebody types in them. */}
        {!isRetyped && notices}
        {!isShowingMore && (
          <button type="button" className="tr-link" onClick={() => setShowingMore(true)}>
            {t('More settings')}
          </button>
        )}
        {isTyped && isShowingMore && type !== undefined && (
          <ColumnRules
            type={type}
            options={options}
            value={rules}
            onChange={setRules}
            onProblem={setRuleProblem}
          />
        )}
        {isShowingMore && (
          <div className="tr-field">
            <label htmlFor={descriptionId}>{t('Description')}</label>
            <textarea
              id={descriptionId}
              className="p-inputtext p-component tables-description"
              rows={2}
              maxLength={2000}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          </div>
        )}
      </Form>
    </Popover>
  );
}

/** The options that the next type can take over: those whose schemas are the same in both types. */
function optionsTaken(
  options: Readonly<Record<string, unknown>>,
  before: ColumnTypeDefinition | undefined,
  next: ColumnTypeDefinition,
): Readonly<Record<string, unknown>> {
  const textOf = (type: ColumnTypeDefinition | undefined, key: string) =>
    JSON.stringify(type?.options?.schema.properties?.[key]);
  const taken = Object.entries(options).filter(([key]) => {
    const schema = textOf(next, key);
    return schema !== undefined && schema === textOf(before, key);
  });
  return Object.fromEntries(taken);
}

/** The request body: all of a new column, but only the changes of an existing one, because others may have changed the rest. */
function bodyOf(form: {
  readonly name: string;
  readonly typeId: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly isTyped: boolean;
  readonly rules: Rules;
  readonly description: string;
  readonly column: ColumnEntity | undefined;
  readonly isOff: boolean;
  /** The options when the form opened. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
}): Readonly<Record<string, unknown>> {
  const { rules, column } = form;
  const description = form.description.trim();
  const title = form.name.trim();
  const named = {
    ...(title !== column?.title && { title }),
    ...(description !== (column?.description ?? '') && { description }),
  };
  if (form.isOff || column?.pk === true) return named;
  const keptDefault = form.typeId === column?.uidt ? (column.cdf ?? '') : '';
  return {
    ...named,
    ...(form.typeId !== column?.uidt && { uidt: form.typeId }),
    ...(form.isTyped && {
      ...(rules.isRequired !== (column && rulesOf(column).isRequired) && { rqd: rules.isRequired }),
      ...(rules.isUnique !== (column?.unique ?? false) && { unique: rules.isUnique }),
      ...(rules.isRenewed !== (column?.au ?? false) && { au: rules.isRenewed }),
      ...(rules.defaultValue !== keptDefault && { cdf: rules.defaultValue }),
    }),
    ...optionsBody(form.options, form.before),
  };
}

function optionsBody(
  meta: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): object {
  const isChanged = Object.keys(meta).length > 0 && JSON.stringify(meta) !== JSON.stringify(before);
  return isChanged ? { meta, meta_before: before } : {};
}
