import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Form, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { ColumnFailure } from '../shared/index.ts';
import { useNameOf } from './plugin-words.ts';
import { OwnTask } from './StoreTasks.tsx';
import { useRemoval } from './use-removal.ts';

/** Columns that are named one by one; the rest is counted. */
const namedColumns = 8;

/** Removes a plugin for good, after what goes along was counted. */
export default function RemovalDialog(props: {
  readonly plugin: PluginEntity;
  /** Those among which others need it. */
  readonly plugins: readonly PluginEntity[];
  readonly onClose: () => void;
}) {
  const { plugin, plugins, onClose } = props;
  const { t } = useHost();
  const nameOf = useNameOf();
  const { plan, error, refetch, isBusy, problem, failures, remove, download } = useRemoval(plugin, onClose);
  const [keepData, setKeepData] = useState(false);
  const [leaveColumns, setLeaveColumns] = useState(false);
  const hasData = plan !== undefined && (plan.tables.length > 0 || plan.values > 0);

  return (
    <Dialog title={t('Remove {{name}} for good?', { name: nameOf(plugin) })} width={560} onClose={onClose}>
      {error !== undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {plan === undefined && error === undefined && <Skeleton height={160} />}
      {plan !== undefined && (
        <Form
          danger
          submitLabel={t('Remove')}
          busyLabel={t('Removing')}
          isBusy={isBusy}
          problem={problem}
          aside={
            hasData && (
              <button type="button" className="tr-button" onClick={() => void download()}>
                <i className="pi pi-download" aria-hidden="true" />
                {t('Save its data')}
              </button>
            )
          }
          onSubmit={() => void remove(plan, { keepData, leaveColumns })}
          onCancel={onClose}
        >
          <Consequences plugin={plugin} plugins={plugins} plan={plan} failures={failures} />
          {plan.columns.length > 0 && (
            <Choice
              label={t('Leave the columns as they are: readable, and not to be written')}
              isChosen={leaveColumns}
              onChange={setLeaveColumns}
            />
          )}
          {hasData && (
            <Choice
              label={t('Keep its own data for the time when it is installed again')}
              isChosen={keepData}
              onChange={setKeepData}
            />
          )}
          {isBusy && <OwnTask kind="remove" plugin={plugin.name} />}
        </Form>
      )}
    </Dialog>
  );
}

function Choice(props: {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}) {
  return (
    <label className="store-consent">
      <input
        type="checkbox"
        checked={props.isChosen}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
}

function Consequences({
  plugin,
  plugins,
  plan,
  failures,
}: {
  readonly plugin: PluginEntity;
  readonly plugins: readonly PluginEntity[];
  readonly plan: PluginRemovalPlan;
  readonly failures: readonly ColumnFailure[];
}) {
  const { t } = useHost();
  const { columns, tables, values, usage, hasSettings } = plan;
  const nameOf = useNameOf();
  const dependents = plan.dependents.map((id) => {
    const other = plugins.find((of) => of.id === id);
    return other === undefined ? id : nameOf(other);
  });
  const reasons = new Map(failures.map(({ column, reason }) => [column, reason]));
  // Those that failed stand first, and all of them.
  const ordered = columns.toSorted((a, b) => Number(reasons.has(b.id)) - Number(reasons.has(a.id)));
  const named = ordered.slice(0, Math.max(namedColumns, reasons.size));
  const rest = columns.length - named.length;
  return (
    <div className="store-usage">
      {columns.length > 0 && (
        <>
          <p>
            {t(
              '{{count}} columns get another type; cells that do not fit keep their old value in a column beside:',
              {
                count: columns.length,
                one: '{{count}} column gets another type; cells that do not fit keep their old value in a column beside:',
              },
            )}
          </p>
          <ul>
            {named.map(({ id, project, table, title, type, fallback }) => (
              <li key={id}>
                {project} › {table} › {title}: {type} → {fallback}
                {reasons.has(id) && <strong className="store-failure">{reasons.get(id)}</strong>}
              </li>
            ))}
            {rest > 0 && <li>{t('and {{count}} more', { count: rest, one: 'and {{count}} more' })}</li>}
          </ul>
        </>
      )}
      {dependents.length > 0 && (
        <p>{t('These plugins need it and go off as well: {{names}}.', { names: dependents.join(', ') })}</p>
      )}
      <ul>
        {usage.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {tables.map(({ name, rows }) => (
          <li key={name}>
            {t('Its own table {{name}} with {{count}} rows', {
              name,
              count: rows,
              one: 'Its own table {{name}} with {{count}} row',
            })}
          </li>
        ))}
        {values > 0 && (
          <li>
            {t('{{count}} values that it keeps', { count: values, one: '{{count}} value that it keeps' })}
          </li>
        )}
        {hasSettings && <li>{t('Its settings and secrets')}</li>}
        <li>
          {t('All its versions on the server: {{versions}}', {
            versions: plugin.versions.join(', ') || plugin.version || '–',
          })}
        </li>
      </ul>
    </div>
  );
}
