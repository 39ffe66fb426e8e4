import { CellEditor, defineWebColumnType, type FilterValueProps } from '@trellis/sdk/web';
import { multiSelect } from '../shared/index.ts';
import { MultiSelectEditor } from './SelectEditor.tsx';

const several = defineWebColumnType({ ...multiSelect, Editor: MultiSelectEditor });

/** Chooses the options that a filter names, of a column of one as of a column of several. */
export function OptionsFilter({ column, value, readOnly, onChange }: FilterValueProps) {
  const titles = Array.isArray(value) ? value.join(',') : value;
  return (
    <fieldset className="tr-text-input tr-filter-editor" disabled={readOnly}>
      <CellEditor
        column={{ ...column, rqd: false }}
        type={several}
        value={titles === '' ? null : titles}
        onCommit={(next) => onChange(next ?? '')}
      />
    </fieldset>
  );
}
