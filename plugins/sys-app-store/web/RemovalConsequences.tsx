import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { useHost, useRegistry } from '@trellis/sdk/web';
import type { ColumnFailure } from '../shared/index.ts';
import { ConsequenceLines } from './ConsequenceLines.tsx';
import { useNameOf } from './plugin-words.ts';
import { useOwnData } from './use-own-data.ts';

/** Columns, and filters, that are named one by one; the rest is counted. */
const namedParts = 8;

/** What becomes of what people made with a plugin when it is removed, counted, with what they have chosen so far. */
export function RemovalConsequences(props: {
  readonly plugin: PluginEntity;
  readonly plugins: readonly PluginEntity[];
  readonly plan: PluginRemovalPlan;
  readonly failures: readonly ColumnFailure[];
  readonly keepData: boolean;
  readonly leaveColumns: boolean;
}) {
  const { plugin, plugins, plan, keepData } = props;
  const { t } = useHost();
  const nameOf = useNameOf();
  const dependents = plan.dependents.map((id) => {
    const other = plugins.find((of) => of.id === id);
    return other === undefined ? id : nameOf(other);
  });
  const versions = plugin.versions.length > 0 ? plugin.versions : [plugin.version].filter(Boolean);
  const data = useOwnData(plan);
  const files =
    versions.length === 0
      ? []
      : [
          t('Its files on the server: versions {{versions}}', {
            count: versions.length,
            versions: versions.join(', '),
            one: 'Its files on the server: version {{versions}}',
          }),
        ];
  const deleted = [
    ...(keepData ? [] : data),
    ...(plan.hasSettings ? [t('Its settings and secrets')] : []),
    ...files,
  ];
  return (
    <div className="store-usage">
      <Columns {...props} />
      <Filters plugin={plugin} filters={plan.filters} />
      <InViews plugin={plugin} uses={plan.inViews} />
      {dependents.length > 0 && (
        <p>{t('These plugins need it and go off as well: {{names}}.', { names: dependents.join(', ') })}</p>
      )}
      <ConsequenceLines
        title={t('Where it is in use:')}
        lines={plan.usage.map(({ message, params }) => t(message, params))}
      />
      <ConsequenceLines title={t('What is deleted:')} lines={deleted} />
      <ConsequenceLines title={t('What stays until it is installed again:')} lines={keepData ? data : []} />
    </div>
  );
}

function Columns({
  plugin,
  plan: { columns },
  failures,
  leaveColumns,
}: {
  readonly plugin: PluginEntity;
  readonly plan: PluginRemovalPlan;
  readonly failures: readonly ColumnFailure[];
  readonly leaveColumns: boolean;
}) {
  const { t } = useHost();
  const types = useRegistry('columnTypes');
  const labelOf = (id: string) =>
    t(types.find((type) => type.id === id)?.label ?? plugin.labels['columnTypes']?.[id] ?? id);
  const reasons = new Map(failures.map(({ column, reason }) => [column, reason]));
  // Those that failed stand first, and all of them.
  const ordered = columns.toSorted((a, b) => Number(reasons.has(b.id)) - Number(reasons.has(a.id)));
  const named = ordered.slice(0, Math.max(namedParts, reasons.size));
  const rest = columns.length - named.length;
  if (columns.length === 0) return undefined;
  const title = leaveColumns
    ? t('{{count}} columns can be read and not written:', {
        count: columns.length,
        one: '{{count}} column can be read and not written:',
      })
    : t(
        '{{count}} columns get another type; cells that do not fit keep their old value in a column beside:',
        {
          count: columns.length,
          one: '{{count}} column gets another type; cells that do not fit keep their old value in a column beside:',
        },
      );
  return (
    <ConsequenceLines
      title={title}
      lines={named.map(({ id, project, table, title: column, type, fallback }) => (
        <span key={id}>
          {project} › {table} › {column}: {labelOf(type)}
          {!leaveColumns && ` → ${labelOf(fallback)}`}
          {reasons.has(id) && <strong className="store-failure">{reasons.get(id)}</strong>}
        </span>
      ))}
      more={rest > 0 ? t('and {{count}} more', { count: rest, one: 'and {{count}} more' }) : undefined}
    />
  );
}

function Filters({
  plugin,
  filters,
}: {
  readonly plugin: PluginEntity;
  readonly filters: PluginRemovalPlan['filters'];
}) {
  const { t } = useHost();
  const operators = useRegistry('filterOperators');
  const labelOf = (id: string) =>
    t(
      operators.find((operator) => operator.id === id)?.label ?? plugin.labels['filterOperators']?.[id] ?? id,
    );
  const named = filters.slice(0, namedParts);
  const rest = filters.length - named.length;
  return (
    <ConsequenceLines
      title={t('{{count}} filters are taken out, so that their views show rows without them:', {
        count: filters.length,
        one: '{{count}} filter is taken out, so that its view shows rows without it:',
      })}
      lines={named.map(({ id, project, table, view, operator }) => (
        <span key={id}>
          {project} › {table} › {view}: {labelOf(operator)}
        </span>
      ))}
      more={rest > 0 ? t('and {{count}} more', { count: rest, one: 'and {{count}} more' }) : undefined}
    />
  );
}

/** What views keep of it, which does nothing while it is gone. */
function InViews({
  plugin,
  uses,
}: {
  readonly plugin: PluginEntity;
  readonly uses: PluginRemovalPlan['inViews'];
}) {
  const { t } = useHost();
  const titles = {
    aggregations: (count: number) =>
      t('{{count}} figures of views show a dash until it is installed again:', {
        count,
        one: '{{count}} figure of a view shows a dash until it is installed again:',
      }),
    filterOperators: (count: number) =>
      t(
        '{{count}} conditions of rules of views ask by it: such rules do nothing until it is installed again:',
        {
          count,
          one: '{{count}} condition of a rule of a view asks by it: that rule does nothing until it is installed again:',
        },
      ),
    viewAdditions: (count: number) =>
      t('{{count}} views keep what it adds to them, which does nothing until it is installed again:', {
        count,
        one: '{{count}} view keeps what it adds to it, which does nothing until it is installed again:',
      }),
  };
  return (['aggregations', 'filterOperators', 'viewAdditions'] as const).map((registry) => {
    const own = uses.filter((use) => use.registry === registry);
    const named = own.slice(0, namedParts);
    const rest = own.length - named.length;
    return (
      <ConsequenceLines
        key={registry}
        title={titles[registry](own.reduce((sum, { count }) => sum + count, 0))}
        lines={named.map(({ id, viewId, project, table, view, count }) => (
          <span key={`${id} ${viewId}`}>
            {project} › {table} › {view}: {t(plugin.labels[registry]?.[id] ?? id)}
            {count > 1 && ` (${count})`}
          </span>
        ))}
        more={rest > 0 ? t('and {{count}} more', { count: rest, one: 'and {{count}} more' }) : undefined}
      />
    );
  });
}
