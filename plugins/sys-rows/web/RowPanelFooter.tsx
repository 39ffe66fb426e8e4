import { rowActions, useHost, useRegistry, type RowContext } from '@trellis/sdk/web';
import { WorkButton } from '@trellis/sdk/web/ui';

interface RowPanelFooterProps {
  /** The actions for the stored row; undefined if there is none or the person has no right. */
  readonly row:
    | { readonly onDelete: (() => void) | undefined; readonly onDuplicate: (() => void) | undefined }
    | undefined;
  /** The stored row, for plugins' actions. */
  readonly context: RowContext | undefined;
  /** Undefined while nothing was typed. */
  readonly edits:
    | {
        readonly isNew: boolean;
        readonly isSaving: boolean;
        readonly canSave: boolean;
        readonly onDiscard: () => void;
        readonly onSave: () => void;
      }
    | undefined;
}

/** The actions for the row and for the edits. */
export function RowPanelFooter({ row, context, edits }: RowPanelFooterProps) {
  const host = useHost();
  const { t } = host;
  const actions = useRegistry('cellActions');
  return (
    <footer>
      {row?.onDelete && (
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Delete row')}
          title={t('Delete row')}
          onClick={row.onDelete}
        >
          <i className="pi pi-trash" aria-hidden="true" />
        </button>
      )}
      {row?.onDuplicate && (
        <button
          type="button"
          className="tr-icon-button"
          aria-label={t('Duplicate row')}
          title={t('Duplicate row')}
          onClick={row.onDuplicate}
        >
          <i className="pi pi-copy" aria-hidden="true" />
        </button>
      )}
      {context &&
        rowActions(host, actions, context).map((action) => (
          <button
            key={action.id}
            type="button"
            className="tr-icon-button"
            aria-label={action.label}
            title={action.label}
            onClick={action.run}
          >
            <i className={`pi pi-${action.icon ?? 'bolt'}`} aria-hidden="true" />
          </button>
        ))}
      <span className="tr-gap" />
      {edits !== undefined && (
        <>
          <WorkButton isBusy={edits.isSaving} onClick={edits.onDiscard}>
            {edits.isNew ? t('Cancel') : t('Discard')}
          </WorkButton>
          {edits.canSave && (
            <WorkButton
              className="tr-button tr-button--primary"
              isBusy={edits.isSaving}
              onClick={edits.onSave}
            >
              {edits.isSaving ? t('Saving …') : edits.isNew ? t('Add the row') : t('Save')}
            </WorkButton>
          )}
        </>
      )}
    </footer>
  );
}
