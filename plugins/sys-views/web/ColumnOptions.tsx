import { Contribution, useRegistryItem, useT, type ViewProps } from '@trellis/sdk/web';
import { OptionsForm } from '@trellis/sdk/web/ui';
import { useViewColumns, type ViewColumn } from '@trellis/sdk/web/views';
import { useToldSave } from './use-view-calls.ts';

/** The view's options for one column, edited by the panel of the view's type or by a form. */
export function ColumnOptions({
  of,
  onClose,
  ...props
}: ViewProps & { readonly of: ViewColumn; readonly onClose: () => void }) {
  const t = useT();
  const type = useRegistryItem('viewTypes', props.view.view_type);
  const { setOptions } = useViewColumns(props);
  const saved = useToldSave(of.inView, (options) => setOptions(of, options));
  const Panel = type?.ColumnSettingsPanel;
  return (
    <div className="views-list">
      <div className="views-row">
        <button
          type="button"
          className="tr-icon-button tr-icon-button--small"
          aria-label={t('Back to all fields')}
          onClick={onClose}
        >
          <i className="pi pi-arrow-left" aria-hidden="true" />
        </button>
        <h3 className="views-title">{of.column.title}</h3>
      </div>
      {type && Panel && (
        <Contribution registry="viewTypes" id={type.id} what={t(type.label)}>
          <div className="tr-settings">
            <Panel
              {...props}
              column={of.column}
              settings={saved.shown ?? of.options}
              onChange={(options) => void saved.save(options)}
            />
          </div>
        </Contribution>
      )}
      {type?.columnOptions && !Panel && (
        <OptionsForm
          schema={type.columnOptions}
          value={of.options}
          onSave={(options) => setOptions(of, options)}
          onClose={onClose}
        />
      )}
    </div>
  );
}
