import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { aColumn, renderWithHost, textType } from '../testing/web.tsx';
import { AddCard } from './cards/AddCard.tsx';
import { CellEditor } from './CellEditor.tsx';
import { Dialog, PickPanel, Popover, SearchField, SearchList, TreeItem } from './ui/index.ts';

afterEach(cleanup);

/** Hears what a field ends with. */
const done = jest.fn();
const taken = () => {
  done();
  return Promise.resolve(true);
};

const fields: readonly (readonly [string, () => ReactNode])[] = [
  [
    'of a cell',
    () => <CellEditor column={aColumn('cl_name', 'Name')} type={textType} value="" onCommit={done} />,
  ],
  ['of a new card', () => <AddCard label="Name" text="Add" isOpen onOpen={done} onAdd={taken} />],
  [
    'of a name in the side bar',
    () => (
      <TreeItem
        icon="table"
        title="Tasks"
        isActive={false}
        onOpen={undefined}
        menu={{ label: 'Menu', buttonLabel: 'Actions', actions: [] }}
        rename={{ label: 'Name', isRunning: true, onStart: done, onName: taken, onEnd: done }}
      />
    ),
  ],
  [
    'in a dialog',
    () => (
      <Dialog title="Dialog" onClose={done}>
        <input aria-label="Name" />
      </Dialog>
    ),
  ],
  [
    'of a list to choose from',
    () => (
      <PickPanel label="List" anchor={document.body} width={200} isMultiple onDone={done} onCancel={done}>
        <SearchList label="Name" listLabel="Names" options={[]} emptyText="None" onChoose={done} />
      </PickPanel>
    ),
  ],
  [
    'in a panel',
    () => (
      <Popover label="Panel" onClose={done}>
        <SearchField label="Name" value="" onChange={() => undefined} />
      </Popover>
    ),
  ],
];

describe('a text that is composed by an input method', () => {
  test.each(fields)('keeps Enter and Escape to itself in a field %s', (_where, field) => {
    done.mockClear();
    renderWithHost(field(), { registries: { columnTypes: [textType] } });
    const input = screen.getByLabelText('Name');
    fireEvent.change(input, { target: { value: 'にほん' } });
    for (const key of ['Enter', 'Escape']) fireEvent.keyDown(input, { key, code: key, isComposing: true });
    expect(done).not.toHaveBeenCalled();
  });

  test('stays in a field to search at the Escape that ends the composition', () => {
    const onChange = jest.fn();
    renderWithHost(<SearchField label="Name" value="にほん" onChange={onChange} />);
    fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Escape', isComposing: true });
    expect(onChange).not.toHaveBeenCalled();
  });
});
