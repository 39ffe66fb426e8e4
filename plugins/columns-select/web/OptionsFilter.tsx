import { CellEditor, defineWebColumnType, type FilterValueProps } from '@trellis/sdk/web';
import { writeTextList } from '@trellis/sdk/shared';
import { multiSelect } from '../shared/index.ts';
import { OptionListEditor } from './SelectEditor.tsx';

const several = defineWebColumnType({ ...multiSelect, Editor: OptionListEditor });

/** Chooses a filter's options, for columns with single and with multiple options. */
export function OptionsFilter({ column, value, readOnly, onChange }: FilterValueProps) {
  const titles = Array.isArray(value) ? writeTextList(value.map(String)) : value;
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
