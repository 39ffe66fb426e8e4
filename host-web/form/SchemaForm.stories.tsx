import type { Meta, StoryObj } from '@storybook/react-vite';
import { SECRET_MASK, type SettingsSchema } from '@trellis/core';
import { useState } from 'react';
import { SchemaForm } from './SchemaForm.tsx';

const schema: SettingsSchema = {
  type: 'object',
  required: ['host', 'from'],
  properties: {
    host: { type: 'string', title: 'Server', description: 'Name or address', minLength: 1 },
    port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65535, default: 587 },
    secure: { type: 'boolean', title: 'Use TLS', default: true },
    from: { type: 'string', format: 'email', title: 'From' },
    auth: { type: 'string', title: 'Sign in', enum: ['none', 'password'], default: 'none' },
    password: {
      type: 'string',
      format: 'secret',
      title: 'Password',
      'x-ui': { when: { property: 'auth', oneOf: ['password'] } },
    },
    domains: { type: 'array', title: 'Allowed domains', items: { type: 'string' } },
    footer: { type: 'string', format: 'multiline', title: 'Footer', 'x-ui': { group: 'Looks' } },
    colour: {
      type: 'string',
      format: 'color',
      title: 'Colour',
      default: '#1348ba',
      'x-ui': { group: 'Looks' },
    },
  },
};

interface FormStoryProps {
  readonly initial: Readonly<Record<string, unknown>>;
  readonly problems?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

/** Every control of the form engine, as a plugin's settings use them. */
function FormStory({ initial, problems, disabled }: FormStoryProps) {
  const [value, setValue] = useState(initial);
  return (
    <div style={{ maxWidth: 480 }}>
      <SchemaForm schema={schema} value={value} onChange={setValue} problems={problems} disabled={disabled} />
    </div>
  );
}

const meta: Meta<typeof FormStory> = { title: 'Host/SchemaForm', component: FormStory };
export default meta;

export const Empty: StoryObj<typeof FormStory> = { args: { initial: {} } };
export const StoredSecret: StoryObj<typeof FormStory> = {
  args: {
    initial: { host: 'smtp.example.com', from: 'me@example.com', auth: 'password', password: SECRET_MASK },
  },
};
export const RefusedByTheServer: StoryObj<typeof FormStory> = {
  args: { initial: { host: 'nowhere' }, problems: { '/host': 'This server does not answer' } },
};
export const Disabled: StoryObj<typeof FormStory> = { args: { initial: { host: 'x' }, disabled: true } };
