import { useHost } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import type { TableAccess } from '../../shared/index.ts';

/** What a role may do with a table or a column. Where nothing is written anyway, reading it is all that there is. */
export function AccessSelect(props: {
  readonly label: string;
  readonly access: TableAccess;
  /** Whether rows are written at all. */
  readonly writes: boolean;
  /** What having no right is called. */
  readonly none: string;
  readonly onChange: (access: TableAccess) => void;
}) {
  const { label, access, writes, none, onChange } = props;
  const { t } = useHost();
  return (
    <Select<TableAccess>
      label={label}
      value={!writes && access === 'write' ? 'read' : access}
      options={[
        ...(writes ? [{ value: 'write' as const, label: t('Read and write') }] : []),
        { value: 'read', label: t('Read') },
        { value: 'none', label: none },
      ]}
      onChange={(chosen) => onChange(!writes && chosen === 'read' ? 'write' : chosen)}
    />
  );
}
