import { afterEach, expect, jest, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ApiError } from '@trellis/sdk/web';
import { AddDatabaseDialog } from './AddDatabaseDialog.tsx';
import type { DatabaseKind } from './database-requests.ts';

afterEach(cleanup);

const text = (title: string) => ({ type: 'string', title }) as const;
const kinds: readonly DatabaseKind[] = [
  { id: 'pg', label: 'PostgreSQL', settings: { type: 'object', properties: { host: text('Host') } } },
  { id: 'mysql', label: 'MySQL', settings: { type: 'object', properties: { server: text('Server') } } },
];

test('choosing another kind of database keeps the focus on it, and nothing that was typed is lost', async () => {
  const project = aProject();
  const nothing = () => undefined;
  const { requests } = renderWithHost(
    <AddDatabaseDialog project={project} kinds={kinds} onDone={nothing} onClose={nothing} />,
    { project },
  );
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Name'), 'Branch');
  await user.type(screen.getByLabelText('Host'), 'a.test');
  const choose = async (name: string) => {
    const radio = screen.getByRole('radio', { name });
    await user.click(radio);
    // The same one: a browser's arrow keys go on from it.
    expect(document.activeElement).toBe(radio);
  };
  await choose('MySQL');
  await user.type(await screen.findByLabelText('Server'), 'b.test');
  expect(screen.queryByLabelText('Host')).toBeNull();
  await choose('PostgreSQL');
  expect(screen.getByLabelText('Host')).toHaveProperty('value', 'a.test');
  await choose('MySQL');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Branch');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() =>
    expect(requests.at(-1)).toMatchObject({
      method: 'POST',
      body: { type: 'mysql', alias: 'Branch', settings: { server: 'b.test' } },
    }),
  );
});

test('a test without what it needs says what is missing at its field, and sends nothing', async () => {
  const project = aProject();
  const nothing = () => undefined;
  const settings = {
    type: 'object',
    properties: { database: text('Database') },
    required: ['database'],
  } as const;
  const { requests } = renderWithHost(
    <AddDatabaseDialog
      project={project}
      kinds={[{ id: 'pg', label: 'PostgreSQL', settings }]}
      onDone={nothing}
      onClose={nothing}
    />,
    { project, api: () => ({ code: 0 }) },
  );
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Test connection' });
  expect(button.getAttribute('aria-disabled')).not.toBe('true');
  await user.click(button);
  expect((await screen.findByRole('alert')).textContent).toContain('is required');
  expect(requests).toEqual([]);
  await user.type(screen.getByRole('textbox', { name: /^Database/ }), 'shop');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(button);
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ body: { settings: { database: 'shop' } } }));
});

test('an address that is pasted fills in the form of its kind, and leaves the screen', async () => {
  const project = aProject();
  const nothing = () => undefined;
  const server = (title: string) =>
    ({
      type: 'object',
      properties: { host: text(`Host of ${title}`), user: text('User'), password: text('Password') },
    }) as const;
  const { requests } = renderWithHost(
    <AddDatabaseDialog
      project={project}
      kinds={[
        { id: 'pg', label: 'PostgreSQL', settings: server('PostgreSQL') },
        { id: 'mysql2', label: 'MySQL', settings: server('MySQL') },
      ]}
      onDone={nothing}
      onClose={nothing}
    />,
    { project },
  );
  const user = userEvent.setup();
  const address = screen.getByLabelText('Address of the database');
  await user.click(address);
  await user.paste('mysql://ada:s3cret@db.test:3306/shop');
  expect(address).toHaveProperty('value', '');
  expect(screen.getByText('The fields below are filled in from it.')).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'MySQL' })).toHaveProperty('checked', true);
  expect(await screen.findByLabelText('Host of MySQL')).toHaveProperty('value', 'db.test');
  await user.paste('no address');
  expect(address).toHaveProperty('value', 'no address');
  expect(screen.getByLabelText('Host of MySQL')).toHaveProperty('value', 'db.test');
  const columns = screen.getByRole('radiogroup', { name: 'Names of columns' });
  await user.click(within(columns).getByRole('radio', { name: 'first_name' }));
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ method: 'POST' }));
  expect(requests.at(-1)?.body).toEqual({
    type: 'mysql2',
    // The form of this kind has no further fields.
    settings: { host: 'db.test', user: 'ada', password: 's3cret' },
    inflection_table: 'camelize',
    inflection_column: 'none',
  });
});

test('it stays open while it reads: what was typed is there when the server refuses', async () => {
  const project = aProject();
  const onClose = jest.fn();
  let refuse = (): void => undefined;
  renderWithHost(
    <AddDatabaseDialog project={project} kinds={kinds} onDone={() => undefined} onClose={onClose} />,
    {
      project,
      api: () =>
        new Promise((_resolve, reject) => {
          refuse = () => reject(new ApiError(400, 'No server answers there.'));
        }),
    },
  );
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Name'), 'Branch');
  await user.type(screen.getByLabelText('Host'), 'a.test');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByRole('button', { name: 'Reading the tables …' });
  await user.keyboard('{Escape}');
  await act(async () => refuse());
  expect(await screen.findByText('No server answers there.')).toBeTruthy();
  expect(screen.getByLabelText('Host')).toHaveProperty('value', 'a.test');
  expect(onClose).not.toHaveBeenCalled();
});

test('while a connection is only tested, nothing says that it is added, and the dialog can be left', async () => {
  const project = aProject();
  const onClose = jest.fn();
  const { requests } = renderWithHost(
    <AddDatabaseDialog project={project} kinds={kinds} onDone={() => undefined} onClose={onClose} />,
    { project, api: () => new Promise(() => undefined) },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  await screen.findByRole('button', { name: 'Cancel the test' });
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(requests).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
