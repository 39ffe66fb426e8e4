import type { PluginEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Form, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { RemovalConsequences } from './RemovalConsequences.tsx';
import { useNameOf } from './plugin-words.ts';
import { OwnTask } from './StoreTasks.tsx';
import { useRemoval } from './use-removal.ts';

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
  const { plan, error, refetch, isBusy, problem, failures, remove, isSaving, download } = useRemoval(
    plugin,
    onClose,
  );
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
          canSubmit={!isSaving}
          problem={problem}
          aside={
            hasData && (
              <WorkButton isBusy={isBusy || isSaving} onClick={() => void download()}>
                <i className={isSaving ? 'pi pi-spin pi-spinner' : 'pi pi-download'} aria-hidden="true" />
                {t('Save its data')}
              </WorkButton>
            )
          }
          onSubmit={() => void remove(plan, { keepData, leaveColumns })}
          onCancel={onClose}
        >
          <RemovalConsequences
            plugin={plugin}
            plugins={plugins}
            plan={plan}
            failures={failures}
            keepData={keepData}
            leaveColumns={leaveColumns}
          />
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
