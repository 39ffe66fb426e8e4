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

/** A long text in a panel over the grid: a press outside keeps it, Escape takes it back. */
export function LongTextPanel({ anchor, label, onCommit, onCancel, ...form }: LongTextPanelProps) {
  return (
    <Popover label={label} anchor={anchor} width={520} onClose={onCommit}>
      <div
        role="presentation"
        onKeyDown={(event) => {
          // Keys of the text are none of the grid's.
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
