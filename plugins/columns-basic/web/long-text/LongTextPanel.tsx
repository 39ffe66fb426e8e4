import { Popover } from '@trellis/sdk/web/ui';
import { LongTextForm } from './LongTextForm.tsx';

interface LongTextPanelProps {
  readonly anchor: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly isRich: boolean;
  readonly onChange: (text: string) => void;
  readonly onCommit: () => void;
  readonly onCancel: () => void;
}

/** A long text in a panel above the grid: a press outside saves it, Escape discards the changes. */
export function LongTextPanel({ anchor, label, onCommit, onCancel, ...form }: LongTextPanelProps) {
  return (
    <Popover label={label} anchor={anchor} width={520} onClose={onCommit}>
      <div
        role="presentation"
        onKeyDown={(event) => {
          // The text's keys must not reach the grid.
          event.stopPropagation();
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onCancel();
        }}
      >
        <LongTextForm {...form} label={label} isPopUp onCommit={onCommit} />
      </div>
    </Popover>
  );
}
