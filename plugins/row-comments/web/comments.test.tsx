import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { partsOf, type CommentEntity } from '../shared/index.ts';
import { CommentCount } from './CommentCount.tsx';
import CommentsPane from './CommentsPane.tsx';

const permissions = ['commentList', 'commentRow', 'peopleList'];
const table = aTable([aColumn('cl_id', 'Id', { pk: true, system: true }), aColumn('cl_name', 'Name')]);

function entry(id: string, patch: Partial<CommentEntity> = {}): CommentEntity {
  return {
    id,
    user: 'ann@example.com',
    ip: null,
    base_id: null,
    project_id: 'p_1',
    fk_model_id: 'md_1',
    row_id: '1',
    op_type: 'COMMENT',
    op_sub_type: null,
    status: null,
    description: 'Hello',
    details: null,
    created_at: '2026-11-22 08:00:00',
    updated_at: '2026-11-22 08:00:00',
    is_edited: false,
    is_own: false,
    columns: [],
    ...patch,
  };
}

function pane(project: ReturnType<typeof aProject>, onDirty: (isDirty: boolean) => void) {
  return <CommentsPane project={project} table={table} rowKey="1" onDirty={onDirty} />;
}

function show(
  entries: readonly CommentEntity[] = [],
  options: {
    may?: readonly string[];
    write?: (request: ApiRequest) => unknown;
    confirm?: () => boolean;
  } = {},
) {
  const told: boolean[] = [];
  const project = aProject({ permissions: [...(options.may ?? permissions)] });
  const memory = renderWithHost(
    pane(project, (isDirty) => told.push(isDirty)),
    {
      project,
      ...(options.confirm && { confirm: options.confirm }),
      api: (request) => {
        if ((request.method ?? 'GET') !== 'GET') return options.write?.(request) ?? {};
        if (request.path.endsWith('/people'))
          return { list: [{ email: 'bob@example.com', name: 'Bob Ray' }, { email: 'eve@example.com' }] };
        return request.query?.['comments_only'] === true
          ? entries.filter(({ op_type: kind }) => kind === 'COMMENT')
          : entries;
      },
    },
  );
  return {
    ...memory,
    user: userEvent.setup(),
    /** What the pane said last of whether something in it is not sent. */
    isDirty: () => told.at(-1),
    writes: () => memory.requests.filter((request) => (request.method ?? 'GET') !== 'GET'),
  };
}

afterEach(cleanup);

describe('the comments on a row', () => {
  test('are written at once: the cursor stands in the field for a new one', async () => {
    show();
    const field = await screen.findByRole('combobox', { name: 'Write a comment' });
    expect(document.activeElement).toBe(field);
  });

  test('are edited at once, and what was typed goes by Escape only after a question', async () => {
    let agrees = false;
    const { user, questions } = show([entry('adt_1', { is_own: true })], { confirm: () => agrees });
    await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
    const field = screen.getByRole('combobox', { name: 'Edit comment' });
    expect(document.activeElement).toBe(field);
    await user.keyboard(' you');
    expect(field).toHaveProperty('value', 'Hello you');
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
    expect(questions).toEqual([]);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Edit comment' }));
    expect(questions).toHaveLength(1);
    expect(field).toHaveProperty('value', 'Hello you');
    agrees = true;
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Edit comment' })).toBeNull());
    expect(screen.getByText('Hello')).toBeTruthy();
  });

  test('give the keys back to the button of an edit that ends, and to the field of a new one that was sent', async () => {
    const { user, writes } = show([entry('adt_1', { is_own: true })]);
    await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
    await user.keyboard('{Escape}');
    const pencil = screen.getByRole('button', { name: 'Edit comment' });
    await waitFor(() => expect(document.activeElement).toBe(pencil));
    const field = screen.getByRole('combobox', { name: 'Write a comment' });
    await user.type(field, 'Hi');
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    await waitFor(() => expect(field).toHaveProperty('value', ''));
    expect(writes()).toHaveLength(1);
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  test('keep what is typed for one that somebody deletes meanwhile, to be sent as another', async () => {
    const entries = [
      entry('adt_1', { description: 'First' }),
      entry('adt_2', { is_own: true }),
      entry('adt_3', { description: 'Last' }),
    ];
    const { host, user, writes, isDirty } = show(entries);
    await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
    const field = screen.getByRole('combobox', { name: 'Edit comment' });
    await user.type(field, ' world');
    entries.splice(1, 1);
    act(() => host.invalidate(['row:md_1:1']));
    expect(await screen.findByText('This comment was deleted meanwhile.')).toBeTruthy();
    expect(document.activeElement).toBe(field);
    expect(field).toHaveProperty('value', 'Hello world');
    expect(isDirty()).toBe(true);
    expect(screen.queryByRole('button', { name: 'Edit comment' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Send as a new comment' }));
    await waitFor(() =>
      expect(writes()).toMatchObject([{ method: 'POST', body: { description: 'Hello world' } }]),
    );
    await waitFor(() => expect(screen.queryByText('This comment was deleted meanwhile.')).toBeNull());
    expect(isDirty()).toBe(false);
  });

  test('are texts, whatever stands in them, with their mentions marked', async () => {
    show([entry('adt_1', { description: '<b>Hi</b> @bob@example.com.' })]);
    expect((await screen.findByText('@bob@example.com')).tagName).toBe('MARK');
    expect(screen.getByRole('listitem').textContent).toContain('<b>Hi</b> @bob@example.com.');
  });

  test('stand between the changes of the row where all activity is asked for', async () => {
    const { user } = show([
      entry('adt_2'),
      entry('adt_1', { op_type: 'DATA', op_sub_type: 'UPDATE', columns: ['cl_id', 'cl_name'] }),
    ]);
    expect(await screen.findAllByRole('listitem')).toHaveLength(1);
    await user.click(screen.getByText('Activity'));
    expect(await screen.findByText('changed Name')).toBeTruthy();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  test('are written with a mention that is picked from the people of the project', async () => {
    const { user, writes } = show();
    const field = await screen.findByRole('combobox', { name: 'Write a comment' });
    await user.type(field, 'Look, @ra');
    await screen.findByRole('option', { name: 'Bob Ray bob@example.com' });
    await user.keyboard('{Enter}');
    expect(field).toHaveProperty('value', 'Look, @bob@example.com ');
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]).toMatchObject({
      method: 'POST',
      body: { fk_model_id: 'md_1', row_id: '1', description: 'Look, @bob@example.com' },
    });
    await waitFor(() => expect(field).toHaveProperty('value', ''));
  });

  test('are not lost when they cannot be sent', async () => {
    const { user } = show([], {
      write: () => {
        throw new ApiError(429, 'Too many tries.');
      },
    });
    const field = await screen.findByRole('combobox', { name: 'Write a comment' });
    await user.type(field, 'Patience{Control>}{Enter}{/Control}');
    expect((await screen.findByRole('alert')).textContent).toContain('Too many tries.');
    expect(field).toHaveProperty('value', 'Patience');
  });

  test('are a draft until they are sent, and what is typed meanwhile stays one', async () => {
    let answer = () => {};
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user, writes, isDirty } = show([], { write: () => gate });
    const field = await screen.findByRole('combobox', { name: 'Write a comment' });
    await user.type(field, 'One');
    expect(isDirty()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    await user.type(field, ' two');
    await act(async () => answer());
    await waitFor(() => expect(field).toHaveProperty('value', ' two'));
    expect(isDirty()).toBe(true);
    await user.clear(field);
    expect(isDirty()).toBe(false);
  });

  test('an edit of one is a draft until it is cancelled', async () => {
    const { user, isDirty } = show([entry('adt_2', { is_own: true })]);
    await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
    expect(isDirty()).toBeUndefined();
    await user.type(screen.getByRole('combobox', { name: 'Edit comment' }), '!');
    expect(isDirty()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(isDirty()).toBe(false));
  });

  test('an edit of one goes on while all activity is asked for, and after', async () => {
    const { user, isDirty } = show([entry('adt_2', { is_own: true })]);
    await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
    const field = screen.getByRole('combobox', { name: 'Edit comment' });
    await user.type(field, '!');
    for (const tab of ['Activity', 'Comments']) {
      await user.click(screen.getByText(tab));
      expect(await screen.findByRole('combobox', { name: 'Edit comment' })).toBe(field);
      expect(field).toHaveProperty('value', 'Hello!');
      expect(isDirty()).toBe(true);
    }
  });

  test('are changed and deleted by who wrote them', async () => {
    const { user, writes } = show([entry('adt_2', { is_own: true }), entry('adt_1')]);
    expect(await screen.findAllByRole('button', { name: 'Delete comment' })).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Edit comment' }));
    const field = screen.getByRole('combobox', { name: 'Edit comment' });
    await user.clear(field);
    await user.type(field, 'Hi');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]).toMatchObject({ method: 'PATCH', body: { description: 'Hi' } });
    await user.click(await screen.findByRole('button', { name: 'Delete comment' }));
    await waitFor(() => expect(writes()).toHaveLength(2));
    expect(writes()[1]).toMatchObject({ method: 'DELETE', path: '/api/v1/db/meta/audits/comments/adt_2' });
  });

  test('show their new text at once, not the old one until they are read again', async () => {
    const { user, writes } = show([entry('adt_2', { is_own: true })]);
    await user.click(await screen.findByRole('button', { name: 'Edit comment' }));
    await user.type(screen.getByRole('combobox', { name: 'Edit comment' }), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    // The list that is read here never changes.
    expect(await screen.findByText('Hello!')).toBeTruthy();
    expect(writes()).toHaveLength(1);
  });

  test('are only read by people who may not comment', async () => {
    show([entry('adt_1', { is_own: true })], { may: ['commentList'] });
    expect(await screen.findByText('Hello')).toBeTruthy();
    expect(screen.queryByRole('combobox')).toBeNull();
  });
});

test('a row says how many comments it has, and nothing where there are none', async () => {
  const project = aProject({ permissions: ['commentsCount'] });
  let counts: readonly object[] = [{ row_id: '1', count: 3 }];
  const { host, requests } = renderWithHost(<CommentCount project={project} table={table} rowKey="1" />, {
    project,
    api: () => counts,
  });
  expect(await screen.findByText('3')).toBeTruthy();
  expect(requests[0]?.query).toEqual({ fk_model_id: 'md_1', ids: ['1'] });
  counts = [];
  act(() => host.invalidate(['objects:comments:md_1:p_1']));
  await waitFor(() => expect(screen.queryByText('3')).toBeNull());
});

test('the parts of a text together are the text, and addresses in it are no mentions', () => {
  for (const text of ['', 'mail a@b.c', '(@a@b.co), @c@d.org! @', '@a@b.co\n@a@b.co']) {
    const parts = partsOf(text).map((part) => (part.kind === 'text' ? part.text : `@${part.email}`));
    expect(parts.join('')).toBe(text);
  }
  expect(partsOf('mail a@b.c').some(({ kind }) => kind === 'mention')).toBe(false);
  expect(
    partsOf('(@a@b.co), @c@d.org!').flatMap((part) => (part.kind === 'mention' ? [part.email] : [])),
  ).toEqual(['a@b.co', 'c@d.org']);
});
