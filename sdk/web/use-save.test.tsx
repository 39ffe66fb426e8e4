import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '../testing/web.tsx';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { ApiError, useHost, useSave, useServerData } from './index.ts';
import { Form, TextField } from './ui/index.ts';

interface Stored {
  readonly title: string;
  readonly revision: string;
}

/** A form over what stands in `tags` when it is opened. */
function Editor({ onDone }: { readonly onDone: (how: string) => void }) {
  const { api } = useHost();
  const { data } = useServerData<Stored>({ path: '/thing' }, { tags: ['thing'] });
  return data === undefined ? null : (
    <Fields stored={data} onDone={onDone} send={(body) => api.request(body)} />
  );
}

function Fields(props: {
  readonly stored: Stored;
  readonly onDone: (how: string) => void;
  readonly send: (request: { method: 'PATCH'; path: string; body: unknown }) => Promise<unknown>;
}) {
  const { stored, onDone, send } = props;
  const [title, setTitle] = useState(stored.title);
  const { isBusy, problem, save, conflict } = useSave({
    revision: stored.revision,
    tags: ['thing'],
    onTakeTheirs: () => onDone('theirs'),
  });
  async function submit() {
    const isSaved = await save((replaces) =>
      send({ method: 'PATCH', path: '/thing', body: { title, replaces } }),
    );
    if (isSaved) onDone('mine');
  }
  return (
    <Form
      submitLabel="Save"
      isBusy={isBusy}
      problem={problem}
      conflict={conflict}
      onSubmit={() => void submit()}
    >
      <p>Stored: {stored.title}</p>
      <TextField label="Name" value={title} onChange={setTitle} />
    </Form>
  );
}

/** A server on which somebody else saves while the form is open. */
function open() {
  let stored: Stored = { title: 'First', revision: 'r1' };
  const sent: unknown[] = [];
  const done: string[] = [];
  renderWithHost(<Editor onDone={(how) => done.push(how)} />, {
    api: ({ method, body }) => {
      if (method === 'GET') return stored;
      sent.push(body);
      const { title, replaces } = body as { readonly title: string; readonly replaces: string };
      if (replaces !== stored.revision)
        throw new ApiError(409, 'Somebody else changed this meanwhile.', 'CHANGED_MEANWHILE', {
          revision: stored.revision,
        });
      stored = { title, revision: `${stored.revision}+` };
      return stored;
    },
  });
  return { sent, done, others: (next: Stored) => (stored = next) };
}

afterEach(cleanup);

test('a form does not overwrite what somebody else saved, shows it, and does so when the person says so', async () => {
  const user = userEvent.setup();
  const { sent, done, others } = open();
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' B');
  others({ title: 'Theirs', revision: 'r2' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Somebody else changed this meanwhile/);
  expect(await screen.findByText('Stored: Theirs')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'First B');
  // Saved once more while the person chooses: they are asked again.
  others({ title: 'Once more', revision: 'r3' });
  await user.click(screen.getByRole('button', { name: 'Save mine' }));
  expect(await screen.findByText('Stored: Once more')).toBeTruthy();
  expect(done).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save mine' }));
  expect(await screen.findByText('Stored: First B')).toBeTruthy();
  expect(done).toEqual(['mine']);
  expect(sent).toMatchObject([{ replaces: 'r1' }, { replaces: 'r2' }, { replaces: 'r3' }]);
});

test('pressing Save again after a refusal still overwrites nothing, and theirs can be taken', async () => {
  const user = userEvent.setup();
  const { sent, done, others } = open();
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' B');
  others({ title: 'Theirs', revision: 'r2' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Stored: Theirs');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
  expect(sent).toMatchObject([{ replaces: 'r1' }, { replaces: 'r1' }]);
  expect(done).toEqual(['theirs']);
});
