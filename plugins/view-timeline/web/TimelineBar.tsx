import { useT, type RowColor } from '@trellis/sdk/web';
import type { RowKey } from '@trellis/sdk/shared';
import type { DaySpan } from '@trellis/sdk/web/cards';
import { inkOn, pageLanguage } from '@trellis/sdk/web/ui';
import { rowColorAttributes } from '@trellis/sdk/web/views';
import type { CSSProperties, ReactNode } from 'react';
import { placeIn, titleOf } from './time-scale.ts';
import { useBarDrag } from './use-bar-drag.ts';
import { useBarKeys } from './use-bar-keys.ts';

export interface TimelineBarProps {
  readonly name: string;
  readonly rowKey: RowKey;
  readonly days: DaySpan;
  readonly window: DaySpan;
  readonly color: string | undefined;
  /** Bars have the colours of their groups. A bar without one is pale, so that the others stand out. */
  readonly isQuiet: boolean;
  /** The row's colour, if it takes precedence over the group's. */
  readonly rowColor: RowColor | undefined;
  readonly mayMove: boolean;
  /** Whether the end can be moved separately: not if all rows last equally long. */
  readonly mayResize: boolean;
  dayWidth(this: void): number;
  /** Resolves to whether the change was accepted. */
  onMove(this: void, days: DaySpan): Promise<boolean>;
  readonly onOpen: (() => void) | undefined;
}

const keys = ['ArrowLeft', 'ArrowRight'];
const shortcuts = [...keys, ...keys.map((key) => `Shift+${key}`)].join(' ');

/** From this fraction of the window on, the name next to a short bar is before it: after it there may be no room. */
const isLate = 0.7;

/** A bar this near to the edge of the visible days, as a fraction of the window, leaves no room for a finger. */
const near = 0.08;
/** Pixels. Shorter bars have no room for separate ends, as in timeline.css. */
const shortest = 28;

/** The end of a bar that is at the edge of the visible days. */
function endAtEdge({ from, width }: NonNullable<ReturnType<typeof placeIn>>): 'start' | 'end' | undefined {
  if (from + width > 1 - near) return 'end';
  return from < near ? 'start' : undefined;
}

/** A row on its days. */
export function TimelineBar(props: TimelineBarProps): ReactNode {
  const { name, rowKey, days, window, rowColor, mayMove, mayResize, dayWidth, onMove, onOpen } = props;
  const t = useT();
  const color = rowColor?.place === 'row' ? rowColor.color : props.color;
  const pressed = useBarKeys({ days, mayMove, mayResize, onMove });
  const drag = useBarDrag({ days, dayWidth, onDrop: (to) => void onMove(to) });
  const shown = drag.moved ?? pressed.ahead ?? days;
  // A bar that is dragged out of sight stays mounted, because it receives the end of the drag.
  const beside = drag.moved && { from: shown.end <= window.start ? 0 : 1, width: 0 };
  const place = placeIn(shown, window) ?? beside;
  if (place === undefined) return null;
  const edge = mayMove && mayResize ? endAtEdge(place) : undefined;
  const style = {
    '--timeline-from': `${place.from * 100}%`,
    width: `${place.width * 100}%`,
    ...(color !== undefined && { '--timeline-bar': color, '--timeline-ink': inkOn(color) }),
  } as CSSProperties;

  return (
    <div
      className="timeline-bar"
      style={style}
      data-moved={drag.moved !== undefined}
      data-before={shown.start < window.start}
      data-after={shown.end > window.end}
      onPointerMove={drag.move}
      onPointerUp={drag.end}
      onPointerCancel={drag.cancel}
    >
      <button
        type="button"
        className="timeline-bar-body"
        data-key={rowKey}
        data-edge={edge}
        data-quiet={props.isQuiet && color === undefined}
        {...(rowColor?.place === 'stripe' && rowColorAttributes(rowColor))}
        aria-label={t('{{name}}, {{days}}', { name, days: titleOf(shown, pageLanguage()) })}
        aria-keyshortcuts={mayMove ? shortcuts : undefined}
        title={`${name}\n${titleOf(shown, pageLanguage())}`}
        onPointerDown={
          mayMove
            ? (event) =>
                drag.begin('whole', event.currentTarget.offsetWidth < shortest ? edge : undefined)(event)
            : undefined
        }
        onKeyDown={pressed.onKeyDown}
        onClick={({ detail }) => {
          // A key press did not move the bar.
          if (detail === 0 || !drag.wasMoved()) onOpen?.();
        }}
      >
        <span dir="auto">{name}</span>
      </button>
      <span
        className="timeline-bar-name"
        dir="auto"
        data-side={place.from + place.width > isLate ? 'before' : 'after'}
        aria-hidden="true"
      >
        {name}
      </span>
      {mayMove && mayResize && (
        <>
          <span className="timeline-end" data-end="start" onPointerDown={drag.begin('start')} />
          <span className="timeline-end" data-end="end" onPointerDown={drag.begin('end')} />
        </>
      )}
    </div>
  );
}
