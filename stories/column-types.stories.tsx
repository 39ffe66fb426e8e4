import type { Meta, StoryObj } from '@storybook/react-vite';
import type { CellValue, ColumnEntity } from '@trellis/sdk/shared';
import { CellEditor, columnContext, formatCell, useHost, type WebColumnType } from '@trellis/sdk/web';
import { Suspense, useState } from 'react';
import { aColumn } from '../sdk/testing/table-fixtures.ts';
import { registeredItems } from './memory-plugins.ts';

const registries = registeredItems();
const types = registries.columnTypes ?? [];

/** Every column type that a plugin of ours registers: its cell, its editor, its options. */
const meta: Meta<typeof TypeStory> = {
  title: 'Gallery/Column types',
  component: TypeStory,
  argTypes: { typeId: { control: 'select', options: types.map(({ id }) => id) } },
  args: { typeId: 'SingleLineText' },
  parameters: { host: { registries } },
};
export default meta;

export const One: StoryObj<typeof TypeStory> = {};

export const All: StoryObj<typeof TypeStory> = {
  render: () => (
    <>
      {types.map(({ id }) => (
        <TypeStory key={id} typeId={id} />
      ))}
    </>
  ),
};

function TypeStory({ typeId }: { readonly typeId: string }) {
  const type = types.find(({ id }) => id === typeId);
  return type === undefined ? null : <TypePreview key={typeId} type={type} />;
}

/** The first value of the type's own examples, to be edited. */
function TypePreview({ type }: { readonly type: WebColumnType }) {
  const { SchemaForm } = useHost();
  const example = type.examples.find(({ value }) => value !== null)?.value ?? null;
  const [value, setValue] = useState<CellValue>(example);
  const [options, setOptions] = useState<Readonly<Record<string, unknown>>>(type.options?.defaults ?? {});
  const column: ColumnEntity = aColumn(type.id, type.label, {
    uidt: type.id,
    storage: type.storage,
    meta: options,
  });
  const context = columnContext(column, type);
  return (
    <section className="tr-field" style={{ maxWidth: 420, paddingBlockEnd: 24 }}>
      <h2>
        <i className={`pi pi-${type.icon}`} aria-hidden="true" /> {type.label}
      </h2>
      <p className="tr-note">{type.description}</p>
      <Suspense>
        <div>
          {type.Cell ? (
            <type.Cell
              value={value}
              row={{ [type.label]: value }}
              column={column}
              options={context.options}
              selected={false}
              onChange={setValue}
            />
          ) : (
            formatCell(value, column, type)
          )}
        </div>
        <CellEditor type={type} column={column} value={value} onCommit={setValue} />
        {type.options !== undefined &&
          (type.OptionsPanel ? (
            <type.OptionsPanel options={context.options} onChange={setOptions} />
          ) : (
            <SchemaForm schema={type.options.schema} value={context.options} onChange={setOptions} />
          ))}
      </Suspense>
    </section>
  );
}
