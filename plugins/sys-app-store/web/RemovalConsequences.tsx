import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { useHost, useRegistry } from '@trellis/sdk/web';
import type { ReactNode } from 'react';
import type { ColumnFailure } from '../shared/index.ts';
import { useNameOf } from './plugin-words.ts';

/** Columns that are named one by one; the rest is counted. */
const namedColumns = 8;

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
  const data = [
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
      {dependents.length > 0 && (
        <p>{t('These plugins need it and go off as well: {{names}}.', { names: dependents.join(', ') })}</p>
      )}
      <Lines title={t('Where it is in use:')} lines={plan.usage} />
      <Lines title={t('What is deleted:')} lines={deleted} />
      <Lines title={t('What stays until it is installed again:')} lines={keepData ? data : []} />
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
  const named = ordered.slice(0, Math.max(namedColumns, reasons.size));
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
    <Lines
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

/** A sentence and a list; nothing where the list is empty. */
function Lines(props: {
  readonly title: string;
  readonly lines: readonly ReactNode[];
  readonly more?: string | undefined;
}) {
  if (props.lines.length === 0) return undefined;
  return (
    <>
      <p>{props.title}</p>
      <ul>
        {props.lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
        {props.more !== undefined && <li>{props.more}</li>}
      </ul>
    </>
  );
}
