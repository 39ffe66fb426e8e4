import {
  Contribution,
  isOffered,
  useHost,
  useRegistry,
  useShell,
  type RowPane,
  type RowPaneProps,
} from '@trellis/sdk/web';
import type { RowRequest } from './panel-requests.ts';

/** What can be shown of a row in place of its fields, to whom it is open. */
export function usePanes({ project, table }: RowRequest): readonly RowPane[] {
  const host = useHost();
  const panes = useRegistry('rowPanes');
  const { context } = useShell();
  return panes.filter((pane) => isOffered(host, 'rowPanes', pane, { ...context, project, table }));
}

/** Switches between the fields of a row and its panes. */
export function PaneButtons({
  panes,
  row,
  chosen,
  onChoose,
}: {
  readonly panes: readonly RowPane[];
  readonly row: RowPaneProps;
  readonly chosen: RowPane | undefined;
  readonly onChoose: (id: string | undefined) => void;
}) {
  const { t } = useHost();
  return panes.map((pane) => {
    const isChosen = pane === chosen;
    return (
      <button
        key={pane.id}
        type="button"
        className="tr-icon-button"
        aria-pressed={isChosen}
        aria-label={t(pane.label)}
        title={isChosen ? t('Show the fields') : t(pane.label)}
        onClick={() => onChoose(isChosen ? undefined : pane.id)}
      >
        <i className={`pi pi-${pane.icon}`} aria-hidden="true" />
        {pane.Badge && (
          <Contribution registry="rowPanes" id={pane.id} compact>
            <pane.Badge {...row} />
          </Contribution>
        )}
      </button>
    );
  });
}
