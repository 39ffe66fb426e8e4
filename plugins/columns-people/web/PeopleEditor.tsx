import { useSession, useT, type EditorProps } from '@trellis/sdk/web';
import { PickField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { addressesOf, type PeopleOptions } from '../shared/index.ts';
import { PeopleCell } from './PeopleCell.tsx';
import { PeoplePicker } from './PeoplePicker.tsx';

const cellOf = (addresses: readonly string[]) => (addresses.length === 0 ? null : addresses.join(','));

/** The cell's people, and a list of the project's people below: open at once in the grid, after a press in a form. */
export function PeopleEditor(props: EditorProps<string, PeopleOptions>) {
  const { value, column, options, autoFocus, onChange, onCommit, onCancel } = props;
  const t = useT();
  const { user } = useSession();
  const [chosen, setChosen] = useState(addressesOf(value));
  const commit = (addresses: readonly string[], move?: Parameters<typeof onCommit>[1]) =>
    onCommit(cellOf(addresses), move);

  function toggle(email: string) {
    const next = chosen.includes(email) ? chosen.filter((of) => of !== email) : [...chosen, email];
    setChosen(next);
    onChange({ kind: 'value', value: cellOf(next) });
  }

  return (
    <PickField
      title={column.title}
      chosen={chosen}
      isOpenAtFirst={autoFocus}
      shown={<PeopleCell value={cellOf(chosen)} column={column} />}
      onClear={() => {
        if (column.rqd) return;
        setChosen([]);
        onCommit(null);
      }}
    >
      {(anchor, closing) => (
        <PeoplePicker
          label={column.title}
          projectId={column.project_id}
          anchor={anchor}
          chosen={chosen}
          isMultiple={options.multiple}
          initialSearch={props.initialText}
          first={user && { id: user.email, detail: t('You') }}
          mayClear={!column.rqd}
          onChoose={options.multiple ? toggle : closing((email: string) => commit([email], 'down'))}
          onClear={closing(() => commit([]))}
          onDone={closing(options.multiple ? () => commit(chosen) : onCancel)}
          onCancel={closing(onCancel)}
          onTab={closing((email: string | undefined, move: 'left' | 'right') => {
            if (email === undefined) commit(chosen, move);
            else commit(options.multiple ? [...new Set([...chosen, email])] : [email], move);
          })}
        />
      )}
    </PickField>
  );
}
