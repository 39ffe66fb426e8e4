import { useT } from '@trellis/sdk/web';
import { Choices, Select } from '@trellis/sdk/web/ui';
import { states, type PluginGroup, type StateChoice } from './plugin-groups.ts';

/** Which plugins the page shows: those of a category, and those that are on, off or troubled. */
export function StoreFilters(props: {
  readonly groups: readonly PluginGroup[];
  /** Empty for all. */
  readonly category: string;
  readonly state: StateChoice;
  readonly onCategory: (category: string) => void;
  readonly onState: (state: StateChoice) => void;
}) {
  const t = useT();
  return (
    <div className="store-filters">
      <Select<string>
        label={t('Category')}
        value={props.category}
        options={[
          { value: '', label: t('All categories') },
          ...props.groups.map(({ id, label, plugins }) => ({
            value: id,
            label: `${t(label)} (${plugins.length})`,
          })),
        ]}
        onChange={props.onCategory}
      />
      <Choices
        label={t('State')}
        value={props.state}
        options={states.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={props.onState}
      />
    </div>
  );
}
