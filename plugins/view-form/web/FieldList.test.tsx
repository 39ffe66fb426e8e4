import { afterEach, expect, test } from '@jest/globals';
import { aColumn, renderWithHost, textType } from '@trellis/sdk/testing/web';
import type { ViewColumn } from '@trellis/sdk/web/views';
import { cleanup, screen } from '@testing-library/react';
import { fieldOptions } from '../shared/index.ts';
import { FieldList } from './FieldList.tsx';

afterEach(cleanup);

const hint = 'Drag a field below this line to take it out.';

function show(hidden: readonly ViewColumn[]) {
  const field = aField('cl_1', 'Name');
  return renderWithHost(
    <FieldList shown={[field]} hidden={hidden} onOpen={() => undefined} onPlace={() => undefined} />,
  );
}

function aField(id: string, title: string): ViewColumn {
  return {
    column: aColumn(id, title),
    inView: { show: true } as never,
    options: { ...fieldOptions({}) },
  };
}

test('the line under the fields of a form says what it is for while no field is out', () => {
  show([]);
  expect(screen.getByText(hint)).toBeTruthy();
  cleanup();
  show([aField('cl_2', 'Age')]);
  expect(screen.getByText('Not in the form')).toBeTruthy();
  expect(screen.queryByText(hint)).toBeNull();
});

test('a field shows in the list what is asked of it', () => {
  const plain = aField('cl_1', 'Name');
  const asked = {
    ...plain,
    options: { ...plain.options, required: true, startsPage: true, creatorsOnly: true },
  };
  const nothing = () => undefined;
  renderWithHost(<FieldList shown={[asked]} hidden={[]} onOpen={nothing} onPlace={nothing} />);
  expect(screen.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'))).toEqual([
    'Required',
    'Begins a page',
    'For owners and creators alone',
  ]);
  cleanup();
  show([]);
  expect(screen.queryByRole('img')).toBeNull();
});

test('a field shows in the list of which type it is', () => {
  const field = { ...aField('cl_1', 'Name'), column: aColumn('cl_1', 'Name', { uidt: textType.id }) };
  const gone = { ...aField('cl_2', 'Odd'), column: aColumn('cl_2', 'Odd', { uidt: 'Gone' }) };
  const nothing = () => undefined;
  const { container } = renderWithHost(
    <FieldList shown={[field]} hidden={[gone]} onOpen={nothing} onPlace={nothing} />,
    { registries: { columnTypes: [{ ...textType, icon: 'star' }] } },
  );
  const icons = [...container.querySelectorAll('.form-fields-name > i')].map(({ className }) => className);
  expect(icons).toEqual(['pi pi-star', 'pi pi-question-circle']);
  expect(screen.getByRole('button', { name: 'Name' })).toBeTruthy();
});
