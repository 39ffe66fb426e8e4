import { useHost } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import type { TableAccess } from '../../shared/index.ts';

/** A role's access to a table or a column. If nothing can be written anyway, only reading is offered. */
export function AccessSelect(props: {
  readonly label: string;
  readonly access: TableAccess;
  /** Whether rows can be written at all. */
  readonly writes: boolean;
  /** The label for no access. */
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
