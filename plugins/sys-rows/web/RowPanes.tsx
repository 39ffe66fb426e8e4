import { Contribution, useContributions, useHost, type RowPane, type RowPaneProps } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';
import { useCallback, useState } from 'react';
import type { RowRequest } from './panel-requests.ts';

/** The panes that can replace a row's fields, as far as the person may see them. */
export function usePanes({ project, table }: RowRequest): readonly RowPane[] {
  return useContributions('rowPanes', undefined, { project, table });
}

/** Tracks which panes contain something unsaved. */
export function usePaneDrafts(panes: readonly RowPane[]) {
  const [dirty, setDirty] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const onDirty = useCallback(
    (id: string, isDirty: boolean) =>
      setDirty((before) => {
        if (before.has(id) === isDirty) return before;
        const others = [...before].filter((other) => other !== id);
        return new Set(isDirty ? [...others, id] : others);
      }),
    [],
  );
  return {
    held: panes.filter(({ id }) => dirty.has(id)),
    /** Changes when the drafts are discarded: panes with another key start empty. */
    round,
    onDirty,
    discard() {
      setDirty(new Set());
      setRound((before) => before + 1);
    },
  };
}

interface PaneBodiesProps {
  readonly row: RowPaneProps;
  readonly chosen: RowPane | undefined;
  readonly drafts: ReturnType<typeof usePaneDrafts>;
}

/** The chosen pane, and hidden panes with unsaved drafts. */
export function PaneBodies({ row, chosen, drafts }: PaneBodiesProps) {
  const hidden = drafts.held.filter((pane) => pane !== chosen);
  const shown = chosen === undefined ? hidden : [chosen, ...hidden];
  return shown.map((pane) => (
    <PaneBody
      key={`${pane.id} ${drafts.round}`}
      pane={pane}
      row={row}
      isHidden={pane !== chosen}
      onDirty={drafts.onDirty}
    />
  ));
}

function PaneBody(props: {
  readonly pane: RowPane;
  readonly row: RowPaneProps;
  readonly isHidden: boolean;
  readonly onDirty: (id: string, isDirty: boolean) => void;
}) {
  const { pane, row, isHidden, onDirty } = props;
  const tell = useCallback((isDirty: boolean) => onDirty(pane.id, isDirty), [pane.id, onDirty]);
  return (
    <div className="rows-fields" hidden={isHidden}>
      <Contribution registry="rowPanes" id={pane.id} fallback={<Skeleton height={48} count={3} />}>
        <pane.Component {...row} onDirty={tell} />
      </Contribution>
    </div>
  );
}

/** Switches between a row's fields and its panes. */
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
        title={isChosen ? t('Show the fields') : t(pane.label)}
        onClick={() => onChoose(isChosen ? undefined : pane.id)}
      >
        <i className={`pi pi-${pane.icon}`} aria-hidden="true" />
        {/* The badge's text is part of the button's name. */}
        <span className="tr-unseen">{t(pane.label)}</span>
        {pane.Badge && (
          <Contribution registry="rowPanes" id={pane.id} compact>
            <pane.Badge {...row} />
          </Contribution>
        )}
      </button>
    );
  });
}
