import type { Meta, StoryObj } from '@storybook/react-vite';
import type { SettingsSchema } from '@trellis/core';
import { hasFields } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { SchemaForm } from '../host-web/form/SchemaForm.tsx';
import { registeredItems, settingsSchemas } from './memory-plugins.ts';

/** Every form that is made of a schema: the settings of plugins, the options of column types and of view types. */
const registries = registeredItems();
const schemas: Readonly<Record<string, SettingsSchema>> = Object.fromEntries([
  ...settingsSchemas,
  ...(registries.columnTypes ?? []).flatMap(({ label, options }) =>
    options === undefined ? [] : [[`Column type ${label}`, options.schema] as const],
  ),
  ...(registries.viewTypes ?? []).flatMap(({ label, options }) =>
    options !== undefined && hasFields(options) ? [[`View type ${label}`, options] as const] : [],
  ),
]);

const meta: Meta<typeof FormStory> = {
  title: 'Gallery/Settings forms',
  component: FormStory,
  argTypes: { of: { control: 'select', options: Object.keys(schemas) } },
  args: { of: Object.keys(schemas)[0] },
};
export default meta;

export const One: StoryObj<typeof FormStory> = {};

export const All: StoryObj<typeof FormStory> = {
  render: () => (
    <>
      {Object.keys(schemas).map((of) => (
        <FormStory key={of} of={of} />
      ))}
    </>
  ),
};

function FormStory({ of }: { readonly of: string }) {
  const [value, setValue] = useState<Readonly<Record<string, unknown>>>({});
  const schema = schemas[of];
  if (schema === undefined) return null;
  return (
    <section className="tr-form" style={{ maxWidth: 480, paddingBlockEnd: 32 }}>
      <h2>{of}</h2>
      <SchemaForm schema={schema} value={value} onChange={setValue} />
    </section>
  );
}
