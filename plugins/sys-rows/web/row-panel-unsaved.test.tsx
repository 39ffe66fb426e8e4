import { afterEach, describe, expect, test } from '@jest/globals';
import type { Row } from '@trellis/sdk/shared';
import { ApiError, type RowPane, type RowPaneProps } from '@trellis/sdk/web';
import { textType, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { number, project, sent, show, table } from '../testing/row-panel.tsx';
import { historyPane } from './history-pane.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('changes that are not saved', () => {
  const others: MemoryHostOptions = {
    api: ({ path }) =>
      path.includes('/meta/')
        ? table
        : path.endsWith('/history')
          ? { list: [] }
          : { Id: Number(path.split('/').at(-1)), Name: 'Ada' },
  };

  describe('in a pane', () => {
    const notes: RowPane = { id: 'notes', label: 'Notes', icon: 'comment', Component: Notes };
    function Notes({ rowKey, onDirty }: RowPaneProps) {
      return (
        <input aria-label={`Note on ${rowKey}`} onChange={({ target }) => onDirty?.(target.value !== '')} />
      );
    }
    const withNotes = (options: MemoryHostOptions) => {
      const registries = { columnTypes: [textType, number], rowPanes: [notes, historyPane] };
      return show({}, { ...others, registries, ...options });
    };

    test('are asked about before the page is left, until they are gone', async () => {
      const memory = withNotes({});
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      const note = screen.getByRole('textbox', { name: 'Note on 1' });
      const leavesAsking = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
      expect(leavesAsking()).toBe(false);
      await memory.user.type(note, 'x');
      expect(leavesAsking()).toBe(true);
      await memory.user.clear(note);
      expect(leavesAsking()).toBe(false);
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      expect(leavesAsking()).toBe(true);
      memory.unmount();
      expect(leavesAsking()).toBe(false);
    });

    test('are asked about, whichever way the row is left, and stay when the answer is no', async () => {
      const memory = withNotes({ confirm: () => false });
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x{Escape}');
      await waitFor(() => expect(memory.questions).toHaveLength(1));
      expect(memory.questions[0]?.message).toBe('What you wrote under “Notes” is not sent.');
      await memory.user.click(screen.getByRole('button', { name: 'Close' }));
      await act(async () => memory.panelRequests.open({ project, table, rowKey: '2' }));
      expect(memory.questions).toHaveLength(3);
      expect(screen.getByRole('textbox', { name: 'Note on 1' })).toHaveProperty('value', 'x');
    });

    test('wait out of sight while the fields or another pane are shown', async () => {
      const memory = withNotes({ confirm: () => false });
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x');
      for (const name of ['Notes', 'History']) {
        await memory.user.click(screen.getByRole('button', { name }));
        expect(screen.queryByRole('textbox', { name: 'Note on 1' })).toBeNull();
      }
      await memory.user.click(screen.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(memory.questions).toHaveLength(1));
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      expect(screen.getByRole('textbox', { name: 'Note on 1' })).toHaveProperty('value', 'x');
    });

    test('are asked about once where the row is left for its duplicate', async () => {
      const memory = withNotes({
        confirm: () => true,
        api: ({ path, method, body }) => {
          if (path.includes('/meta/')) return table;
          if (method === 'GET') return { Id: Number(path.split('/').at(-1)), Name: 'Ada' };
          return (body as readonly Row[]).map((row) => ({ Id: 9, ...row }));
        },
      });
      memory.open();
      await memory.user.click(await screen.findByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x');
      await memory.user.click(screen.getByRole('button', { name: 'Duplicate row' }));
      await waitFor(() => expect(memory.panelRequests.current?.rowKey).toBe('9'));
      expect(memory.questions).toHaveLength(1);
    });

    test('leave the hidden form alone when the keys for saving are pressed', async () => {
      const memory = withNotes({});
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      await memory.user.type(screen.getByRole('textbox', { name: 'Note on 1' }), 'x{Control>}s{/Control}');
      expect(sent(memory)).toEqual([]);
      await memory.user.click(screen.getByRole('button', { name: 'Notes' }));
      await memory.user.keyboard('{Control>}s{/Control}');
      await waitFor(() => expect(sent(memory)).toHaveLength(1));
    });
  });

  test.each([true, false])(
    'are asked about when another row is opened, over this one: %p, and stay when the answer is no',
    async (isDeeper) => {
      const memory = show({}, { ...others, confirm: () => false });
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await act(async () => memory.panelRequests.open({ project, table, rowKey: '2', isDeeper }));
      expect(memory.questions).toHaveLength(1);
      expect(memory.panelRequests.current?.rowKey).toBe('1');
      expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
    },
  );

  describe('are saved before the next row is shown, where the person says so', () => {
    const pressNext = async (refusal?: Error) => {
      const memory = show(
        {},
        {
          confirm: (question) => question.instead?.run() ?? false,
          api: ({ method, path, body }) => {
            if (path.includes('/meta/')) return table;
            if (method === 'PATCH' && refusal !== undefined) throw refusal;
            return { Id: Number(path.split('/').at(-1)), Name: 'Ada', ...(body as Row | undefined) };
          },
        },
      );
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await act(async () => memory.panelRequests.move({ project, table, rowKey: '2' }));
      return memory;
    };

    test('all of them', async () => {
      const memory = await pressNext();
      await waitFor(() => expect(memory.panelRequests.current?.rowKey).toBe('2'));
      expect(sent(memory)).toMatchObject([{ path: expect.stringMatching(/1$/), body: { Name: 'Adax' } }]);
      expect(memory.questions).toMatchObject([{ instead: { label: 'Save and go on' } }]);
    });

    test('or it stays, with what was typed and why it was refused', async () => {
      const memory = await pressNext(new ApiError(400, 'No more names'));
      await screen.findByText('No more names');
      expect(memory.panelRequests.current?.rowKey).toBe('1');
      expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
      expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
    });

    test('or it stays where a field holds what cannot be saved', async () => {
      const memory = show({}, { ...others, confirm: (question) => question.instead?.run() ?? false });
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Age/ }), '1000');
      await act(async () => memory.panelRequests.move({ project, table, rowKey: '2' }));
      await screen.findByText('Correct the marked fields first.');
      expect([memory.panelRequests.current?.rowKey, sent(memory)]).toEqual(['1', []]);
    });

    test('which nobody is offered for what saving does not keep, or before the row is deleted', async () => {
      const memory = show({ rowKey: undefined }, { ...others, confirm: () => false });
      memory.open();
      await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await act(async () => memory.panelRequests.move({ project, table, rowKey: '2' }));
      cleanup();
      const second = show({}, { ...others, confirm: () => false });
      second.open();
      await second.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
      await second.user.click(screen.getByRole('button', { name: 'Delete row' }));
      await waitFor(() => expect(second.questions).toHaveLength(1));
      expect([...memory.questions, ...second.questions].map(({ instead }) => instead)).toEqual([
        undefined,
        undefined,
      ]);
    });
  });

  test('are none where what was typed is taken back, before its field is left or afterwards', async () => {
    const memory = show({}, others);
    const leavesAsking = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const save = () => screen.queryByRole('button', { name: 'Save' });
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x');
    expect([save() !== null, leavesAsking()]).toEqual([true, true]);
    await memory.user.type(name, '{Backspace}');
    expect([save(), leavesAsking()]).toEqual([null, false]);
    await memory.user.type(name, 'x{Tab}');
    expect(save()).toBeTruthy();
    await memory.user.type(name, '{Backspace}{Tab}');
    expect([save(), leavesAsking()]).toEqual([null, false]);
    await memory.user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(memory.questions).toEqual([]);
  });

  test('are none in a new row whose only text is taken back', async () => {
    const memory = show({ rowKey: undefined }, others);
    memory.open();
    const age = await screen.findByRole('textbox', { name: /Age/ });
    await memory.user.type(age, '7{Tab}');
    await memory.user.clear(age);
    await memory.user.tab();
    await memory.user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(memory.questions).toEqual([]);
  });

  test('are some where a value is taken back that is just being saved', async () => {
    const saves: (() => void)[] = [];
    const memory = show(
      {},
      {
        api: async ({ method, path, body }) => {
          if (path.includes('/meta/')) return table;
          if (method !== 'PATCH') return { Id: 1, Name: 'Ada' };
          await new Promise<void>((resolve) => saves.push(resolve));
          return { Id: 1, ...(body as Row) };
        },
      },
    );
    memory.open();
    const name = await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.type(name, 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saves).toHaveLength(1));
    await memory.user.type(name, '{Backspace}{Tab}');
    await act(async () => saves[0]?.());
    await memory.user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent(memory)).toMatchObject([{ body: { Name: 'Adax' } }, { body: { Name: 'Ada' } }]),
    );
  });

  test('go when the person says so, and are not asked about where there are none', async () => {
    const memory = show({}, { ...others, confirm: () => true });
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    await act(async () => memory.panelRequests.open({ project, table, rowKey: '2', isDeeper: true }));
    expect(memory.panelRequests.current?.rowKey).toBe('2');
    await memory.user.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(memory.panelRequests.current?.rowKey).toBe('1'));
    expect(memory.questions).toHaveLength(1);
  });

  test('keep the panel at their row when a duplicate of it or its deletion comes back late', async () => {
    for (const name of ['Duplicate row', 'Delete row']) {
      let answer = () => {};
      const gate = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const memory = show(
        {},
        {
          api: async ({ method, path, body }) => {
            if (path.includes('/meta/')) return table;
            if (method === 'GET') return { Id: Number(path.split('/').at(-1)), Name: 'Ada' };
            await gate;
            return (body as readonly Row[]).map((row) => ({ Id: 9, ...row }));
          },
        },
      );
      memory.open();
      await screen.findByRole('textbox', { name: /Name/ });
      await memory.user.click(screen.getByRole('button', { name }));
      await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'x');
      await act(async () => answer());
      await waitFor(() => expect(memory.toasts).toHaveLength(1));
      expect(memory.panelRequests.current?.rowKey).toBe('1');
      expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Adax');
      cleanup();
    }
  });

  test('or none: a row is duplicated once, also by a press that is doubled', async () => {
    const memory = show(
      {},
      {
        api: async ({ method, path, body }) => {
          if (path.includes('/meta/')) return table;
          if (method === 'GET') return { Id: Number(path.split('/').at(-1)), Name: 'Ada' };
          return (body as readonly Row[]).map((row) => ({ Id: 9, ...row }));
        },
      },
    );
    memory.open();
    await memory.user.dblClick(await screen.findByRole('button', { name: 'Duplicate row' }));
    await waitFor(() => expect(memory.panelRequests.current?.rowKey).toBe('9'));
    expect(sent(memory)).toHaveLength(1);
  });

  test('or none: a row is deleted after a question, as it is in a view', async () => {
    const memory = show({}, { ...others, confirm: () => false });
    memory.open();
    await screen.findByRole('textbox', { name: /Name/ });
    await memory.user.click(screen.getByRole('button', { name: 'Delete row' }));
    await waitFor(() => expect(memory.questions).toMatchObject([{ title: 'Delete this row?' }]));
    expect(sent(memory)).toEqual([]);
  });

  test('are asked about before their row is deleted', async () => {
    const memory = show({}, { ...others, confirm: () => false });
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), 'x');
    await memory.user.click(screen.getByRole('button', { name: 'Delete row' }));
    expect(memory.questions).toHaveLength(1);
    expect(sent(memory)).toEqual([]);
  });
});
