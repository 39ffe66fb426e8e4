import { RowPanelToken, useHost, type ViewProps } from '@trellis/sdk/web';
import { PopoverButton } from '@trellis/sdk/web/ui';
import { RowPicker } from '@trellis/sdk/web/views';

/** Asks for a row of the table and opens it. */
export function FinderButton({ project, table }: Pick<ViewProps, 'project' | 'table'>) {
  const { t, find } = useHost();
  return (
    <PopoverButton icon="search-plus" label={t('Find a row')}>
      {(close) => (
        <RowPicker
          project={project}
          table={table}
          onChoose={(_row, rowKey) => {
            close();
            if (rowKey !== undefined) find(RowPanelToken)?.open({ project, table, rowKey });
          }}
        />
      )}
    </PopoverButton>
  );
}
