import { keysOf, keysText, useHost, useShell, type Command } from '@trellis/sdk/web';
import { nameOfStep, takeBack, type RowsClient, type UndoDirection } from '@trellis/sdk/web/rows';
import { useSyncExternalStore } from 'react';
import { undoCommands } from './undo-commands.ts';

/** Undoes or redoes the last step; the buttons name that step. */
export function UndoButtons() {
  const { rows } = useShell().context;
  if (rows === undefined) return null;
  return (
    <>
      <StepButton rows={rows} direction="undo" icon="undo" command={undoCommands.undo} />
      <StepButton rows={rows} direction="redo" icon="refresh" command={undoCommands.redo} />
    </>
  );
}

function StepButton(props: {
  readonly rows: RowsClient;
  readonly direction: UndoDirection;
  readonly icon: string;
  readonly command: Command;
}) {
  const { rows, direction, icon, command } = props;
  const host = useHost();
  const { t } = host;
  const step = useSyncExternalStore(rows.onStep, () => rows.nextStep(direction));
  const isBusy = useSyncExternalStore(rows.onStep, () => rows.isTakingBack(direction));
  const [keys = ''] = keysOf(command).map((each) => keysText(each, t));
  const name = t(command.label);
  const title = step === undefined ? `${name} (${keys})` : `${name}: ${nameOfStep(step, t)} (${keys})`;
  return (
    <button
      type="button"
      className="tr-icon-button"
      aria-label={step === undefined ? name : `${name}: ${nameOfStep(step, t)}`}
      aria-disabled={step === undefined}
      aria-busy={isBusy}
      title={title}
      // The current cell keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        if (step !== undefined) void takeBack(rows, direction, host);
      }}
    >
      <i className={`pi pi-${icon}`} aria-hidden="true" />
    </button>
  );
}
