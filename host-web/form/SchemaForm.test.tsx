import { describe, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SECRET_MASK, type SettingsSchema } from '@trellis/core';
import { WebHostContext } from '@trellis/sdk/web';
import { createMemoryHost } from '@trellis/sdk/testing/web';
import { useState } from 'react';
import { SchemaForm } from './SchemaForm.tsx';

type Value = Readonly<Record<string, unknown>>;

/** Draws a form that keeps its own value; the returned function reads it. */
function renderForm(
  schema: SettingsSchema,
  initial: Value = {},
  problems?: Readonly<Record<string, string>>,
) {
  const onChange = jest.fn<(value: Value) => void>();
  const { host } = createMemoryHost();
  function Holder() {
    const [value, setValue] = useState(initial);
    const change = (next: Value) => {
      onChange(next);
      setValue(next);
    };
    return <SchemaForm schema={schema} value={value} problems={problems} onChange={change} />;
  }
  render(
    <WebHostContext value={host}>
      <Holder />
    </WebHostContext>,
  );
  return () => onChange.mock.lastCall?.[0];
}

describe('a form of a settings schema', () => {
  test('edits texts, numbers, switches and choices', async () => {
    const value = renderForm({
      type: 'object',
      properties: {
        host: { type: 'string', title: 'Host' },
        port: { type: 'integer', title: 'Port' },
        secure: { type: 'boolean', title: 'Use TLS' },
        mode: { type: 'string', title: 'Mode', enum: ['a', 'b'], 'x-ui': { labels: ['First', 'Second'] } },
      },
    });
    await userEvent.type(screen.getByLabelText('Host'), 'mail');
    await userEvent.type(screen.getByLabelText('Port'), '587');
    await userEvent.click(screen.getByRole('switch', { name: 'Use TLS' }));
    act(() => screen.getByLabelText('Mode').focus());
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
    expect(value()).toEqual({ host: 'mail', port: 587, secure: true, mode: 'b' });
  });

  test('shows defaults and takes an emptied optional value away', async () => {
    const value = renderForm(
      {
        type: 'object',
        properties: { port: { type: 'integer', title: 'Port', default: 25 }, note: { type: 'string' } },
      },
      { note: 'x' },
    );
    expect(screen.getByLabelText<HTMLInputElement>('Port').value).toBe('25');
    await userEvent.clear(screen.getByLabelText('Note'));
    expect(value()).toEqual({});
  });

  test('never shows a stored secret, and keeps it while nothing is typed', async () => {
    const schema: SettingsSchema = {
      type: 'object',
      properties: {
        key: { type: 'string', format: 'secret', title: 'Key' },
        name: { type: 'string', title: 'Name' },
      },
    };
    const value = renderForm(schema, { key: SECRET_MASK });
    const field = screen.getByLabelText<HTMLInputElement>('Key');
    expect([field.value, field.type, field.placeholder]).toEqual([
      '',
      'password',
      'Stored; type to replace it',
    ]);
    await userEvent.type(screen.getByLabelText('Name'), 'n');
    expect(value()).toEqual({ key: SECRET_MASK, name: 'n' });
    await userEvent.type(field, 'new');
    expect(value()).toEqual({ key: 'new', name: 'n' });
    await userEvent.clear(field);
    expect(value()).toEqual({ key: SECRET_MASK, name: 'n' });
    await userEvent.click(screen.getByRole('button', { name: 'Remove what is stored' }));
    expect(value()).toEqual({ name: 'n' });
    await userEvent.type(field, 'n');
    await userEvent.clear(field);
    expect(value()).toEqual({ name: 'n' });
  });

  test('takes a stored secret away by a button that keeps the focus, and takes that back', async () => {
    const schema: SettingsSchema = {
      type: 'object',
      properties: { key: { type: 'string', format: 'secret', title: 'Key' } },
    };
    const value = renderForm(schema, { key: SECRET_MASK });
    await userEvent.click(screen.getByRole('button', { name: 'Remove what is stored' }));
    expect(value()).toEqual({});
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep what is stored' }));
    await userEvent.keyboard('{Enter}');
    expect(value()).toEqual({ key: SECRET_MASK });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove what is stored' }));
    const field = screen.getByLabelText('Key');
    await userEvent.type(field, 'new');
    expect(screen.queryByRole('button')).toBeNull();
    await userEvent.clear(field);
    expect(value()).toEqual({ key: SECRET_MASK });
  });

  test('says what is wrong with a field once it was touched', async () => {
    renderForm({
      type: 'object',
      required: ['mail', 'name'],
      properties: {
        mail: { type: 'string', format: 'email', title: 'Mail' },
        name: { type: 'string', title: 'Name', minLength: 1 },
      },
    });
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.type(screen.getByLabelText(/Mail/), 'nobody');
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Mail must be/),
    ]);
    expect(screen.getByLabelText(/Mail/).getAttribute('aria-invalid')).toBe('true');
  });

  test("shows the server's problems at their fields", () => {
    renderForm(
      { type: 'object', properties: { host: { type: 'string', title: 'Host' } } },
      {},
      { '/host': 'Not found' },
    );
    expect(screen.getByRole('alert').textContent).toBe('Not found');
    expect(screen.getByLabelText('Host').getAttribute('aria-describedby')).toContain('problem');
  });

  test.each([
    ['a text', { type: 'string' }],
    ['a number', { type: 'integer' }],
    ['a choice', { type: 'string', enum: ['a', 'b'] }],
    ['choices', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    ['a list', { type: 'array', items: { type: 'string' } }],
  ] as const)('tells assistive technology what is wrong with %s, and what it is for', (_what, schema) => {
    const field = { ...schema, title: 'Field', description: 'What it is for' };
    renderForm(
      { type: 'object', required: ['field'], properties: { field } },
      {},
      { '/field': 'is required' },
    );
    const control = screen
      .getAllByLabelText(/^Field/)
      .find((element) => element.getAttribute('aria-describedby') !== null);
    expect(control?.getAttribute('aria-invalid')).toBe('true');
    const described = control?.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'What it is for',
      'Field is required',
    ]);
  });

  test('shows a field only while another one asks for it', async () => {
    renderForm({
      type: 'object',
      properties: {
        auth: { type: 'boolean', title: 'Sign in' },
        user: { type: 'string', title: 'User', 'x-ui': { when: { property: 'auth', oneOf: [true] } } },
      },
    });
    expect(screen.queryByLabelText('User')).toBeNull();
    await userEvent.click(screen.getByRole('switch', { name: 'Sign in' }));
    expect(screen.getByLabelText('User')).toBeTruthy();
  });

  test('takes a default that is shown for the value of its field when another one asks for it', async () => {
    renderForm({
      type: 'object',
      properties: {
        auth: { type: 'boolean', title: 'Sign in', default: true },
        user: { type: 'string', title: 'User', 'x-ui': { when: { property: 'auth', oneOf: [true] } } },
        guest: { type: 'string', title: 'Guest', 'x-ui': { when: { property: 'auth', oneOf: [false] } } },
      },
    });
    const shown = () => ['User', 'Guest'].filter((label) => screen.queryByLabelText(label) !== null);
    expect(shown()).toEqual(['User']);
    await userEvent.click(screen.getByRole('switch', { name: 'Sign in' }));
    expect(shown()).toEqual(['Guest']);
  });

  test('edits objects and lists of objects', async () => {
    const value = renderForm({
      type: 'object',
      properties: {
        server: { type: 'object', properties: { host: { type: 'string', title: 'Host' } } },
        rules: {
          type: 'array',
          title: 'Rules',
          items: { type: 'object', properties: { path: { type: 'string', title: 'Path' } } },
        },
      },
    });
    await userEvent.type(screen.getByLabelText('Host'), 'h');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await userEvent.type(screen.getAllByLabelText('Path')[1] ?? document.body, 'p');
    expect(value()).toEqual({ server: { host: 'h' }, rules: [{}, { path: 'p' }] });
    await userEvent.click(screen.getByRole('button', { name: 'Remove entry 1' }));
    expect(value()).toEqual({ server: { host: 'h' }, rules: [{ path: 'p' }] });
    // The keys stay in the list, also when its last entry goes.
    await userEvent.click(screen.getByRole('button', { name: 'Remove entry 1' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add' }));
  });

  test('shows a field that the configuration decides, and lets nobody change it', () => {
    renderForm({
      type: 'object',
      properties: {
        index: { type: 'string', title: 'Index', 'x-ui': { locked: true } },
        name: { type: 'string', title: 'Name' },
      },
    });
    expect(screen.getByLabelText<HTMLInputElement>('Index').disabled).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>('Name').disabled).toBe(false);
    expect(screen.getByText('Set in the configuration of this server.')).toBeTruthy();
  });

  test('marks as required what somebody may have left empty, and nothing that has a value in any case', async () => {
    renderForm(
      {
        type: 'object',
        required: ['host', 'secure', 'mode', 'speed', 'way', 'index'],
        properties: {
          host: { type: 'string', title: 'Host' },
          secure: { type: 'boolean', title: 'Secure' },
          mode: { type: 'string', title: 'Mode', enum: ['a', 'b'], default: 'a' },
          speed: { type: 'string', title: 'Speed', enum: ['a', 'b'] },
          way: { type: 'string', title: 'Way', enum: ['a', 'b'] },
          index: { type: 'string', title: 'Index', 'x-ui': { locked: true } },
        },
      },
      { speed: 'b' },
    );
    const marked = () =>
      [...document.querySelectorAll('.tr-form-required')].map((mark) => mark.parentElement?.textContent);
    expect(marked()).toEqual(['Host*', 'Way*']);
    expect(screen.getByLabelText(/^Host/).getAttribute('aria-required')).toBe('true');
    expect(screen.getByLabelText(/^Index/).getAttribute('aria-required')).not.toBe('true');
    act(() => screen.getByLabelText(/^Way/).focus());
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(marked()).toEqual(['Host*']);
  });

  test('orders fields and puts them in groups', () => {
    renderForm({
      type: 'object',
      properties: {
        last: { type: 'string', 'x-ui': { order: 200 } },
        grouped: { type: 'string', 'x-ui': { group: 'More' } },
        firstOne: { type: 'string', 'x-ui': { order: 1 } },
      },
    });
    expect([...document.querySelectorAll('label, legend')].map(({ textContent }) => textContent)).toEqual([
      'First one',
      'Last',
      'More',
      'Grouped',
    ]);
  });
});
