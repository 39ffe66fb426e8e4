import { useT } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import type { Renaming } from './sync-renames.ts';

/** Asks whether something missing in the database was deleted or renamed. */
export function RenameChoice(props: {
  readonly what: string;
  readonly renaming: Renaming;
  /** The new name; empty if it was deleted. */
  readonly value: string;
  readonly onChange: (name: string) => void;
}) {
  const t = useT();
  const { renaming, value, onChange } = props;
  return (
    <Select
      className="tables-sync-choice"
      label={t('What became of it: {{what}}', { what: props.what })}
      value={value}
      options={[
        { value: '', label: t('goes to the trash') },
        ...renaming.candidates.map((name) => ({ value: name, label: t('renamed to {{name}}', { name }) })),
      ]}
      onChange={onChange}
    />
  );
}
