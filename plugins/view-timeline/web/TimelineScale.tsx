import { dayAfter, type DaySpan } from '@trellis/sdk/web/cards';
import { pageLanguage, weekendDays } from '@trellis/sdk/web/ui';
import type { CSSProperties, ReactNode, Ref } from 'react';
import type { Zoom } from '../shared/index.ts';
import { bandsIn, placeIn, weekdaysIn, type Tick } from './time-scale.ts';

interface ScaleOf {
  readonly zoom: Zoom;
  readonly days: DaySpan;
  /** The parts of the days, from `ticksIn`. */
  readonly ticks: readonly Tick[];
  readonly today: string;
}

/** The position and width of days in a window, as styles of an element. */
function styleOf(of: DaySpan, window: DaySpan): CSSProperties {
  const { from, width } = placeIn(of, window) ?? { from: 0, width: 0 };
  return { insetInlineStart: `${from * 100}%`, width: `${width * 100}%` };
}

const beginOf = (day: string, window: DaySpan): CSSProperties => ({
  insetInlineStart: styleOf(dayLong(day), window).insetInlineStart,
});

const dayLong = (day: string): DaySpan => ({ start: day, end: dayAfter(day, 1) });

/** The scale above the chart: months or years, and below them the zoom's parts. */
export function TimelineScale({
  zoom,
  days,
  ticks,
  today,
  track,
}: ScaleOf & { readonly track: Ref<HTMLDivElement> }): ReactNode {
  return (
    <div className="timeline-scale">
      <span className="timeline-name" />
      <div ref={track} className="timeline-track" aria-hidden="true">
        <div className="timeline-bands">
          {bandsIn(zoom, days, pageLanguage()).map(({ label, ...band }) => (
            <span key={band.start} className="timeline-band" style={styleOf(band, days)}>
              {label}
            </span>
          ))}
        </div>
        <div className="timeline-ticks">
          {ticks.map(({ day, label }) => (
            <span
              key={day}
              className="timeline-tick"
              data-today={zoom === 'day' && day === today}
              style={beginOf(day, days)}
            >
              {label}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface DaysBehindProps extends ScaleOf {
  /** The day on which a dragged row would be dropped. */
  readonly target: string | undefined;
}

/** The background of the bars: lines at the parts of the scale, weekends, today. */
export function DaysBehind({ zoom, days, ticks, today, target }: DaysBehindProps): ReactNode {
  // In a coarser zoom weekends would be only a pixel or two wide.
  const hasWeekends = zoom === 'day' || zoom === 'week';
  const weekends = hasWeekends ? weekdaysIn(days, weekendDays(pageLanguage())) : [];
  const now = placeIn(dayLong(today), days);
  return (
    <div className="timeline-days" aria-hidden="true">
      {weekends.map((day) => (
        <span key={day} className="timeline-weekend" style={styleOf(dayLong(day), days)} />
      ))}
      {ticks.map(({ day }) => (
        <span key={day} className="timeline-rule" style={beginOf(day, days)} />
      ))}
      {now && (
        <span
          className="timeline-today"
          style={{ insetInlineStart: `${(now.from + now.width / 2) * 100}%` }}
        />
      )}
      {target !== undefined && <span className="timeline-target" style={styleOf(dayLong(target), days)} />}
    </div>
  );
}
