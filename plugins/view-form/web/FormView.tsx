import type { Row } from '@trellis/sdk/shared';
import {
  askBeforeLeaving,
  hasPermission,
  messageOfError,
  useHost,
  useSession,
  type ViewProps,
} from '@trellis/sdk/web';
import { ErrorNotice, Notice, Skeleton } from '@trellis/sdk/web/ui';
import { addRow, rowRights, useRows } from '@trellis/sdk/web/rows';
import { useViewColumns, useViewOptions } from '@trellis/sdk/web/views';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { FormOptions } from '../shared/index.ts';
import { useFormFields } from './form-fields.ts';
import { FormBuilder, type AskedField, type ConditionDrafts } from './FormBuilder.tsx';
import { FormFill } from './FormFill.tsx';
import { FormHead } from './FormHead.tsx';
import { HoldTextContext } from './OptionFields.tsx';
import './form-builder.css';

/** The view type `form`: the form as people see it, and for those who may change it, its builder next to it. */
export default function FormView(props: ViewProps): ReactNode {
  const { project, table, view, readOnly } = props;
  const { t, api, registry } = useHost();
  const personId = useSession().user?.id ?? '';
  const rows = useRows({ kind: 'view', project, table, view }, { isAside: true, onlyAdds: true });
  const options = useViewOptions(view) as FormOptions;
  const inView = useViewColumns(props);
  const { columns, error, refetch } = inView;
  const [isEdited, setEdited] = useState(() => window.innerWidth > 900);
  const [drafts, setDrafts] = useState<ConditionDrafts>({});
  const [heldTexts, setHeldTexts] = useState(0);
  const hold = useCallback(() => {
    setHeldTexts((count) => count + 1);
    return () => setHeldTexts((count) => count - 1);
  }, []);
  const [asked, setAsked] = useState<AskedField>();
  const isUnsaved = Object.values(drafts).some((draft) => draft !== undefined);
  useEffect(() => (isUnsaved ? askBeforeLeaving() : undefined), [isUnsaved]);
  const isCreator = hasPermission('viewUpdate', project);
  const places = useMemo(
    () =>
      columns?.filter(({ options: of }) => isCreator || of.creatorsOnly !== true).map((of) => of.inView) ??
      [],
    [columns, isCreator],
  );
  const fields = useFormFields(places, table.columns ?? [], 'member');
  // A later failed answer removes neither the form nor the entries.
  if (columns === undefined && error !== undefined)
    return <ErrorNotice message={messageOfError(error, t)} onRetry={refetch} />;
  if (columns === undefined) return <Skeleton height={48} count={4} />;
  const mayEdit = !readOnly && isCreator && view.lock_type !== 'locked';
  // If somebody else locks the view, unsaved changes stay.
  const hasEditor = mayEdit || (isEdited && (heldTexts > 0 || isUnsaved));
  async function send(row: Row): Promise<boolean> {
    const values = fields.map(({ column }) => [column.id, row[column.title]] as const);
    const answered = values.filter(([, value]) => value !== undefined);
    const typeOf = (uidt: string) => registry('columnTypes').get(uidt);
    await addRow({ rows, project, table, api, t, typeOf }, Object.fromEntries(answered));
    return true;
  }
  return (
    <section
      className="form-frame"
      aria-label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
    >
      {hasEditor && isEdited && (
        <HoldTextContext value={hold}>
          <FormBuilder
            {...props}
            {...{ options, columns, inView, drafts }}
            // Texts typed in the settings are saved first.
            asked={heldTexts === 0 ? asked : undefined}
            isBarred={!mayEdit}
            onDraft={(columnId, draft) => setDrafts((before) => ({ ...before, [columnId]: draft }))}
          />
        </HoldTextContext>
      )}
      <div
        className="form-view"
        onFocus={({ target }) => {
          const columnId = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
          if (columnId !== undefined) setAsked({ columnId });
        }}
      >
        {hasEditor && (
          <button
            type="button"
            className="tr-button form-toggle"
            aria-expanded={isEdited}
            onClick={() => setEdited(!isEdited)}
          >
            <i className="pi pi-pencil" aria-hidden="true" />{' '}
            {isEdited ? t('Close the editor') : t('Edit the form')}
          </button>
        )}
        {rowRights(project, table).add ? (
          <FormFill
            project={project}
            viewId={view.id}
            title={view.title}
            options={options}
            fields={fields}
            draft={`${personId}:${view.id}`}
            onSend={send}
          />
        ) : (
          <div className="form-sheet">
            <FormHead title={view.title} options={options} viewId={view.id} />
            <Notice severity="info" icon="lock">
              {table.readOnlyReason ?? t('You may not add rows to this table.')}
            </Notice>
          </div>
        )}
      </div>
    </section>
  );
}
