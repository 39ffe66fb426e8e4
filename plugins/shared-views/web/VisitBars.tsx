import { useT } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import type { LinkVisits } from '../shared/index.ts';

const height = 18;
const step = 3;

/** How often a link was opened, with a bar for each of the last days. */
export function VisitBars({ visits: { total, days } }: { readonly visits: LinkVisits }) {
  const t = useT();
  const most = Math.max(1, ...days);
  const recent = days.reduce((sum, count) => sum + count, 0);
  const label = t('{{count}} visits in the last {{days}} days', {
    count: recent,
    one: '{{count}} visit in the last {{days}} days',
    days: days.length,
  });
  return (
    <span className="shared-views-visits">
      <span>{total.toLocaleString(pageLanguage())}</span>
      {recent > 0 && (
        <svg
          role="img"
          aria-label={label}
          width={days.length * step}
          height={height}
          viewBox={`0 0 ${days.length * step} ${height}`}
        >
          <title>{label}</title>
          {days.map((count, at) => {
            const tall = count === 0 ? 1 : Math.max(2, (count / most) * height);
            // eslint-disable-next-line react/no-array-index-key -- a bar is a day, which has no other name
            return <rect key={at} x={at * step} y={height - tall} width={step - 1} height={tall} />;
          })}
        </svg>
      )}
    </span>
  );
}
