import type { PluginRemovalPlan } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';

/** What a plugin keeps in tables of its own and besides, counted, a line each. */
export function useOwnData(plan: Pick<PluginRemovalPlan, 'tables' | 'values'>): readonly string[] {
  const t = useT();
  return [
    ...plan.tables.map(({ name, rows }) =>
      t('Its own table {{name}} with {{count}} rows', {
        name,
        count: rows,
        one: 'Its own table {{name}} with {{count}} row',
      }),
    ),
    ...(plan.values > 0
      ? [
          t('{{count}} values that it keeps', {
            count: plan.values,
            one: '{{count}} value that it keeps',
          }),
        ]
      : []),
  ];
}
