import type { FilterNode } from '@trellis/sdk/shared';
import { useRegistry, useT, type ViewProps } from '@trellis/sdk/web';
import { Choices, Notice } from '@trellis/sdk/web/ui';
import type { ViewColumn, ViewColumns } from '@trellis/sdk/web/views';
import { useState } from 'react';
import type { FormOptions } from '../shared/index.ts';
import { FieldList } from './FieldList.tsx';
import { FieldSettings } from './FieldSettings.tsx';
import { isAnswerable } from './form-fields.ts';
import { FormSettings } from './FormSettings.tsx';
import { useFormChanges } from './use-form-changes.ts';

export interface FormBuilderProps extends ViewProps {
  readonly options: FormOptions;
  readonly columns: readonly ViewColumn[];
  readonly inView: ViewColumns;
  /** The field that the person selected in the form next to it. */
  readonly asked: AskedField | undefined;
  /** Whether the person has lost the right to change the form. */
  readonly isBarred: boolean;
  /** Unsaved conditions by column: they survive a change of the editor's tab. */
  readonly drafts: ConditionDrafts;
  onDraft(this: void, columnId: string, condition: readonly FilterNode[] | undefined): void;
}

/** A selected field: a new object for each selection. */
export interface AskedField {
  readonly columnId: string;
}

export type ConditionDrafts = Readonly<Record<string, readonly FilterNode[] | undefined>>;

/** Next to the form: its fields, their settings and the form's settings. */
export function FormBuilder(props: FormBuilderProps) {
  const { project, view, options, columns, inView, drafts, asked, onDraft } = props;
  const t = useT();
  const types = useRegistry('columnTypes');
  const changes = useFormChanges(props, inView);
  const [tab, setTab] = useState<'fields' | 'settings'>('fields');
  /** The edited field: it stays open with its texts even if somebody removes it from the form. */
  const [opened, setOpened] = useState<ViewColumn>();
  const answerable = columns.filter(({ column }) =>
    isAnswerable(
      column,
      types.find(({ id }) => id === column.uidt),
      'member',
    ),
  );
  const shown = answerable.filter(({ inView: { show } }) => show);
  const [followed, setFollowed] = useState<AskedField>();
  if (asked !== undefined && asked !== followed) {
    setFollowed(asked);
    setTab('fields');
    setOpened(shown.find(({ column }) => column.id === asked.columnId));
  }
  const isOpened = ({ column }: ViewColumn) => column.id === opened?.column.id;
  const field = answerable.find(isOpened) ?? opened;
  const isOut = field !== undefined && !shown.includes(field);
  return (
    <aside className="form-builder" aria-label={t('Edit the form')}>
      {props.isBarred && (
        <Notice severity="warn">
          {t(
            'You may not change this form at the moment. What you typed stays here until you close the editor.',
          )}
        </Notice>
      )}
      {tab === 'fields' && isOut && (
        <Notice severity="warn">{t('Somebody has taken this field out of the form.')}</Notice>
      )}
      <Choices<'fields' | 'settings'>
        label={t('What is edited')}
        value={tab}
        options={[
          { value: 'fields', label: t('Fields') },
          { value: 'settings', label: t('Settings') },
        ]}
        onChange={setTab}
      />
      {tab === 'settings' ? (
        <FormSettings
          project={project}
          view={view}
          options={options}
          onChange={(change) => changes.setForm(options, change)}
          onPicture={changes.setPicture}
        />
      ) : field === undefined ? (
        <FieldList
          shown={shown}
          hidden={answerable.filter(({ inView: { show } }) => !show)}
          onOpen={(columnId) => setOpened(shown.find(({ column }) => column.id === columnId))}
          onPlace={(of, to) => void changes.place(of, shown, to)}
        />
      ) : (
        <FieldSettings
          key={field.column.id}
          field={field}
          earlier={shown
            .filter(({ inView: { order } }) => order < field.inView.order)
            .filter(({ options: of }) => of.creatorsOnly !== true || field.options.creatorsOnly === true)
            .map(({ column }) => column)
            // An answer's files are known only when they are there; of links, only whether there are any.
            .filter(
              ({ uidt, virtual }) =>
                virtual === true || types.find(({ id }) => id === uidt)?.Answer === undefined,
            )}
          draft={drafts[field.column.id]}
          onDraft={(condition) => onDraft(field.column.id, condition)}
          onChange={(changed) => changes.setField(field, changed)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </aside>
  );
}
