import { useSession, useT, type EditorProps } from '@trellis/sdk/web';
import { PickButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { addressesOf, type PeopleOptions } from '../shared/index.ts';
import { PeopleCell } from './PeopleCell.tsx';
import { PeoplePicker } from './PeoplePicker.tsx';

const cellOf = (addresses: readonly string[]) => (addresses.length === 0 ? null : addresses.join(','));

/** Who is in the cell, and a list of the project's people under it: open at once in the grid, when it is pressed in a form. */
export function PeopleEditor(props: EditorProps<string, PeopleOptions>) {
  const { value, column, options, autoFocus, onChange, onCommit, onCancel } = props;
  const t = useT();
  const { user } = useSession();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(autoFocus);
  const [chosen, setChosen] = useState(addressesOf(value));

  function choose(email: string) {
    if (!options.multiple) return finish([email], 'down');
    const next = chosen.includes(email) ? chosen.filter((of) => of !== email) : [...chosen, email];
    setChosen(next);
    onChange({ kind: 'value', value: cellOf(next) });
  }

  function finish(addresses: readonly string[], move?: Parameters<typeof onCommit>[1]) {
    setOpen(false);
    onCommit(cellOf(addresses), move);
  }

  return (
    <>
      <PickButton
        ref={setAnchor}
        label={chosen.length === 0 ? column.title : `${column.title}: ${chosen.join(', ')}`}
        isOpen={isOpen}
        onOpen={() => setOpen(true)}
        onClear={() => {
          if (column.rqd) return;
          setChosen([]);
          onCommit(null);
        }}
      >
        <PeopleCell value={cellOf(chosen)} column={column} />
      </PickButton>
      {isOpen && anchor !== null && (
        <PeoplePicker
          label={column.title}
          projectId={column.project_id}
          anchor={anchor}
          chosen={chosen}
          isMultiple={options.multiple}
          initialSearch={props.initialText}
          first={user && { id: user.email, detail: t('You') }}
          mayClear={!column.rqd}
          onChoose={choose}
          onClear={() => finish([])}
          onDone={() => (options.multiple ? finish(chosen) : (setOpen(false), onCancel()))}
          onCancel={() => {
            setOpen(false);
            onCancel();
          }}
          onTab={(email, move) => {
            if (email === undefined) return finish(chosen, move);
            finish(options.multiple ? [...new Set([...chosen, email])] : [email], move);
          }}
        />
      )}
    </>
  );
}
