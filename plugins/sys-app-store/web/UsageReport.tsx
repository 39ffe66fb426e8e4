import type { PluginUsage } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';

/** What switching a plugin off would touch. */
export function UsageReport(props: {
  readonly usage: readonly PluginUsage[];
  readonly dependents: readonly string[];
}) {
  const t = useT();
  return (
    <div className="store-usage">
      {props.usage.length > 0 && (
        <ul>
          {props.usage.map(({ message, params }, at) => (
            <li key={at}>{t(message, params)}</li>
          ))}
        </ul>
      )}
      {props.dependents.length > 0 && (
        <p>
          {t('These plugins need it and go off as well: {{names}}.', { names: props.dependents.join(', ') })}
        </p>
      )}
      <p>{t('No data is deleted. Switched on again, everything is back as it was.')}</p>
    </div>
  );
}
