import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { InputNumber } from 'primereact/inputnumber';
import { MultiSelect } from 'primereact/multiselect';
import { useEffect, useState } from 'react';
import { renderWithHost } from '../../testing/web.tsx';
import {
  ChoiceLines,
  Choices,
  Dialog,
  ErrorNotice,
  FileDrop,
  firstDayOfWeek,
  Form,
  HandOverDialog,
  LogPages,
  MenuButton,
  PageHead,
  PersonMark,
  Popover,
  PopoverButton,
  ScrollStrip,
  SearchList,
  Switch,
  Tabs,
  TextField,
  useKeptFocus,
} from './index.ts';

function show(ui: React.ReactNode) {
  return { ...renderWithHost(ui), user: userEvent.setup() };
}

afterEach(cleanup);

test.each([
  ['de-DE', 1],
  ['en-US', 0],
])('a week begins where people have it begin: %s', (spoken, first) => {
  const languages = jest.spyOn(navigator, 'languages', 'get').mockReturnValue([spoken]);
  expect(firstDayOfWeek(spoken.slice(0, 2))).toBe(first);
  languages.mockRestore();
});

test('a dialog hears the keys while what is in it is still on its way, and begins with it when it comes', async () => {
  function Late() {
    const [isThere, setThere] = useState(false);
    useEffect(() => {
      window.addEventListener('online', () => setThere(true), { once: true });
    }, []);
    return (
      <>
        <input aria-label="Below" autoFocus />
        <Dialog title="Links" onClose={() => undefined}>
          {isThere ? <input aria-label="Search" /> : <p>On its way</p>}
        </Dialog>
      </>
    );
  }
  show(<Late />);
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Search')));
});

test('Escape closes a list that is open in a dialog, and the dialog only after that', async () => {
  const onClose = jest.fn();
  function Channels() {
    const [chosen, setChosen] = useState<readonly string[]>([]);
    return (
      <Dialog title="Send" isUnsaved={false} onClose={onClose}>
        <MultiSelect
          aria-label="Channels"
          value={[...chosen]}
          options={['Ops', 'Sales']}
          onChange={({ value }) => setChosen(value as readonly string[])}
        />
      </Dialog>
    );
  }
  const { user } = show(<Channels />);
  const field = screen.getByRole('combobox');
  act(() => field.focus());
  await user.keyboard('{ArrowDown}');
  expect(field.getAttribute('aria-expanded')).toBe('true');
  await user.keyboard('{Escape}');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test.each([
  ['one field was typed into', ['Host'], [], 1],
  ['several were, and the person says no', ['Host', 'User'], [false], 0],
  ['several were, and the person says yes', ['Host', 'User'], [true], 1],
])('a dialog that keeps what is typed is left by Escape where %s', async (_when, fields, answers, closed) => {
  const onClose = jest.fn();
  const { questions } = renderWithHost(
    <Dialog title="Connect" keepsInput onClose={onClose}>
      <input aria-label="Host" />
      <input aria-label="User" />
    </Dialog>,
    { confirm: () => answers[0] ?? true },
  );
  const user = userEvent.setup();
  for (const field of fields) await user.type(screen.getByLabelText(field), 'x');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(questions).toHaveLength(answers.length));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(closed));
});

test.each([
  ['nothing in it was changed', false, [], 1],
  ['something was, and the person says no', true, [false], 0],
  ['something was, and the person says yes', true, [true], 1],
])('a dialog that knows its draft is left by Escape where %s', async (_when, isUnsaved, answers, closed) => {
  const onClose = jest.fn();
  const { questions } = renderWithHost(
    <Dialog title="Role" isUnsaved={isUnsaved} onClose={onClose}>
      <input aria-label="Name" />
    </Dialog>,
    { confirm: () => answers[0] ?? true },
  );
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(isUnsaved);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(questions).toHaveLength(answers.length));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(closed));
});

test.each([
  ['Escape, where the person stays', '{Escape}', [false], 0],
  ['Escape, where the person agrees', '{Escape}', [true], 1],
  ['Done', '{Tab}{Enter}', [], 1],
])('a text that is shown once and was not copied is left by %s', async (_, keys, answers, closed) => {
  const onClose = jest.fn();
  const { questions } = renderWithHost(<Token onClose={onClose} />, { confirm: () => answers[0] ?? true });
  act(() => screen.getByRole('button', { name: 'Copy' }).focus());
  await userEvent.keyboard(keys);
  await waitFor(() => expect(questions).toHaveLength(answers.length));
  if (answers.length > 0) expect(questions[0]).toMatchObject({ title: 'Close without copying it?' });
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(closed));
});

test.each([
  ['the button', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Copy' }))],
  [
    'the keys of the browser',
    async (user: UserEvent) => {
      await user.tripleClick(screen.getByLabelText('Token'));
      await user.copy();
    },
  ],
])('a text that is shown once and was copied by %s is left without a question', async (_, copy) => {
  const onClose = jest.fn();
  const { questions } = renderWithHost(<Token onClose={onClose} />);
  const user = userEvent.setup();
  await copy(user);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(questions).toEqual([]);
});

function Token({ onClose }: { readonly onClose: () => void }) {
  return (
    <HandOverDialog
      title="Your token"
      warning="Copy it now."
      label="Token"
      value="abc"
      copied="Copied"
      refused="Not copied"
      onClose={onClose}
    />
  );
}

test('a dialog is not closed while the form in it works, and can be closed afterwards', async () => {
  const onClose = jest.fn();
  function Work() {
    const [isBusy, setBusy] = useState(false);
    useEffect(() => {
      window.addEventListener('online', () => setBusy(false), { once: true });
    }, []);
    return (
      <Dialog title="Connect" onClose={onClose}>
        <Form submitLabel="Connect" isBusy={isBusy} onSubmit={() => setBusy(true)}>
          <input aria-label="Host" />
        </Form>
      </Dialog>
    );
  }
  const { user } = show(<Work />);
  await user.type(screen.getByLabelText('Host'), 'db.test{Enter}{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).not.toHaveBeenCalled();
  act(() => void window.dispatchEvent(new Event('online')));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

test('a person is marked by a whole letter of their name, whatever it is made of', () => {
  show(<PersonMark name="🦒 keeper" />);
  expect(screen.getByText('🦒')).toBeTruthy();
});

test('choices with the same label are each chosen for themselves', () => {
  const options = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ];
  show(
    <>
      <Choices label="Kind" value="a" options={options} onChange={jest.fn()} />
      <Choices label="Kind" value="b" options={options} onChange={jest.fn()} />
    </>,
  );
  expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

describe('a menu', () => {
  const run = jest.fn();
  const action = (id: string, label: string, rest = {}) => ({ id, label, icon: 'circle', run, ...rest });
  const menu = (
    <MenuButton
      label="More"
      actions={[action('a', 'Rename'), action('b', 'Duplicate', { disabled: true }), action('c', 'Delete')]}
    />
  );

  test('is walked by arrows and letters, leaves out what is disabled, and gives the focus back', async () => {
    const { user } = show(menu);
    await user.click(screen.getByRole('button', { name: 'More' }));
    const focused = () => document.activeElement?.textContent;
    expect(focused()).toBe('Rename');
    await user.keyboard('{ArrowDown}');
    expect(focused()).toBe('Delete');
    await user.keyboard('r');
    expect(focused()).toBe('Rename');
    await user.click(screen.getByRole('menuitem', { name: 'Duplicate' }));
    expect(run).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' }));
  });

  test('without entries is not drawn', () => {
    show(<MenuButton label="More" actions={[]} />);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('is closed, and the focus is back, before its action runs', async () => {
    const found: unknown[] = [];
    const { user } = show(
      <MenuButton
        label="More"
        actions={[
          action('a', 'Open', {
            run: () => found.push(screen.queryByRole('menu'), document.activeElement?.ariaLabel),
          }),
        ]}
      />,
    );
    await user.click(screen.getByRole('button', { name: 'More' }));
    await user.keyboard('{Enter}');
    expect(found).toEqual([null, 'More']);
  });
});

describe('a panel', () => {
  function Panel() {
    const [isOpen, setOpen] = useState(false);
    const [isBusy, setBusy] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {isOpen && (
          <Popover label="Column" onClose={() => setOpen(false)}>
            <Form
              submitLabel="Save"
              isBusy={isBusy}
              problem={isBusy ? 'Refused.' : undefined}
              onSubmit={() => setBusy(true)}
              onCancel={() => setOpen(false)}
            >
              <TextField label="Name" value="x" autoFocus onChange={() => undefined} />
            </Form>
          </Popover>
        )}
      </>
    );
  }

  test('takes the focus, keeps Tab inside, and gives the focus back on Escape', async () => {
    const { user } = show(<Panel />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }));
    await user.tab();
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
  });

  test('is closed by Escape from a number field, which prevents every key that is no digit', async () => {
    const closed = jest.fn();
    renderWithHost(
      <Popover label="Settings" onClose={closed}>
        <InputNumber inputId="frozen" value={1} />
      </Popover>,
    );
    await waitFor(() => expect(document.activeElement?.id).toBe('frozen'));
    await userEvent.keyboard('{Escape}');
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test('is headed by what it is about where its button names what was chosen', async () => {
    renderWithHost(
      <PopoverButton icon="table" label="Deals" heading="Views">
        {() => <p>the others</p>}
      </PopoverButton>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Deals' }));
    expect(await screen.findByRole('dialog', { name: 'Views' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Views' })).toBeTruthy();
  });

  test('stays in the window when the window changes', async () => {
    const { user } = show(<Panel />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    const { innerWidth } = window;
    window.innerWidth = 400;
    act(() => void window.dispatchEvent(new Event('resize')));
    expect(screen.getByRole('dialog').style.left).toBe('200px');
    window.innerWidth = innerWidth;
  });

  test('keeps its keys while it works and after a refusal', async () => {
    const { user } = show(<Panel />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByRole('alert').textContent).toBe('Refused.');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('a list is narrowed by any of its words, under its headings', async () => {
  const onChoose = jest.fn();
  const { user } = show(
    <SearchList
      label="Search"
      listLabel="Everything"
      emptyText="Nothing."
      options={[
        { id: 'a', label: 'Animals', detail: 'Zoo', group: 'Tables' },
        { id: 'b', label: 'Visits', detail: 'Zoo', group: 'Tables' },
        { id: 'c', label: 'Sign out', group: 'Commands' },
      ]}
      onChoose={onChoose}
    />,
  );
  await user.keyboard('zoo vis');
  expect(screen.getAllByRole('option')).toHaveLength(1);
  expect(screen.queryByText('Commands')).toBeNull();
  await user.keyboard('{Enter}');
  expect(onChoose).toHaveBeenCalledWith('b');
});

test('a list shows first what begins with what was typed, then what holds it', async () => {
  const { user } = show(
    <SearchList
      label="Search"
      listLabel="Types"
      emptyText="Nothing."
      options={[
        { id: 'text', label: 'Single line text', detail: 'A short text' },
        { id: 'multi', label: 'Not a single select' },
        { id: 'select', label: 'Single select' },
      ]}
      onChoose={jest.fn()}
    />,
  );
  await user.keyboard('single s');
  const labels = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(labels).toEqual([
    'Single select',
    'Not a single select',
    expect.stringContaining('Single line text'),
  ]);
});

test('a switch is switched once by a press on its name', async () => {
  const onChange = jest.fn();
  const { user } = show(
    <Switch checked={false} onChange={onChange}>
      Required
    </Switch>,
  );
  await user.click(screen.getByText('Required'));
  expect(onChange.mock.calls).toEqual([[true]]);
  expect(screen.getByRole('switch', { name: 'Required' })).toBeTruthy();
});

describe('a place for files', () => {
  test('shows that it takes them as long as they are held over anything in it, and takes no dragged text', () => {
    // What jsdom lacks of a drag.
    Object.assign(window, { DragEvent: MouseEvent });
    const onChoose = jest.fn();
    show(<FileDrop label="Backup" hint="A file of a backup" onChoose={onChoose} />);
    const hint = screen.getByText('A file of a backup');
    const place = hint.parentElement;
    if (place === null) throw new Error('The place is not drawn');
    const files = [new File(['x'], 'a.zip')];
    fireEvent.dragOver(hint, { dataTransfer: { types: ['text/plain'], files: [] } });
    expect(place.dataset.over).toBe('false');
    fireEvent.dragOver(hint, { dataTransfer: { types: ['Files'], files } });
    fireEvent.dragLeave(hint, { relatedTarget: screen.getByRole('button', { name: 'Choose a file' }) });
    expect(place.dataset.over).toBe('true');
    fireEvent.dragLeave(place, { relatedTarget: document.body });
    expect(place.dataset.over).toBe('false');
    fireEvent.drop(hint, { dataTransfer: { types: ['text/plain'], files: [] } });
    expect(onChoose).not.toHaveBeenCalled();
    fireEvent.drop(hint, { dataTransfer: { types: ['Files'], files } });
    expect(onChoose).toHaveBeenCalledWith(files[0]);
  });
});

describe('tabs', () => {
  function Open({ closed }: { readonly closed: (id: string) => void }) {
    const [chosen, choose] = useState('a');
    const items = ['a', 'b', 'c'].map((id) => ({ id, label: `Tab ${id}` }));
    return (
      <Tabs label="Open" items={items} value={chosen} onChange={choose} onClose={closed}>
        <p>{`Content ${chosen}`}</p>
      </Tabs>
    );
  }

  test('are walked by the keys in the direction that is read, show the panel of the chosen one, and close by Delete', async () => {
    const closed = jest.fn();
    const { user } = show(<Open closed={closed} />);
    const chosen = () => screen.getByRole('tab', { selected: true });
    await user.click(screen.getByRole('tab', { name: 'Tab b' }));
    expect(screen.getByRole('tabpanel', { name: 'Tab b' }).textContent).toBe('Content b');
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(chosen());
    expect(chosen().textContent).toBe('Tab c');
    await user.keyboard('{ArrowRight}');
    expect(chosen().textContent).toBe('Tab a');
    document.documentElement.dir = 'rtl';
    await user.keyboard('{ArrowLeft}');
    document.documentElement.dir = '';
    expect(chosen().textContent).toBe('Tab b');
    await user.keyboard('{Delete}');
    expect(closed.mock.calls).toEqual([['b']]);
    expect(screen.getAllByRole('tab')).toHaveLength(3);
  });

  test('that are closed, by key or by mouse, leave the focus on the one that is chosen then', async () => {
    function Closing() {
      const [open, setOpen] = useState(['a', 'b', 'c'].map((id) => ({ id, label: `Tab ${id}` })));
      const last = open.at(-1)?.id;
      const close = (id: string) => setOpen(open.filter((item) => item.id !== id));
      return (
        <Tabs label="Open" items={open} value={last} onChange={() => undefined} onClose={close}>
          <p>{last}</p>
        </Tabs>
      );
    }
    const { user } = show(<Closing />);
    act(() => screen.getByRole('tab', { name: 'Tab c' }).focus());
    await user.keyboard('{Delete}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Tab b' }));
    await user.click(screen.getByTitle('Close Tab b'));
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Tab a' }));
  });
});

test('a log says which of its entries are shown and leads to newer and older ones, where there are any', async () => {
  function Log({ total }: { readonly total: number }) {
    const [offset, setOffset] = useState(0);
    const shown = Math.min(25, total - offset);
    return <LogPages offset={offset} shown={shown} total={total} atOnce={25} onTurn={setOffset} />;
  }
  const { user, rerender } = show(<Log total={60} />);
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
  screen.getByText('1 to 25 of 60');
  const isOff = (name: string) => button(name).getAttribute('aria-disabled') === 'true';
  expect([isOff('Newer'), isOff('Older')]).toEqual([true, false]);
  await user.click(button('Older'));
  await user.click(button('Older'));
  screen.getByText('51 to 60 of 60');
  expect(isOff('Older')).toBe(true);
  expect(document.activeElement).toBe(button('Older'));
  await user.keyboard('{Enter}');
  screen.getByText('51 to 60 of 60');
  await user.click(button('Newer'));
  screen.getByText('26 to 50 of 60');
  rerender(<Log key="short" total={25} />);
  expect(screen.queryByRole('navigation')).toBeNull();
  rerender(<LogPages offset={0} shown={25} total={26} isAtLeast atOnce={25} onTurn={() => undefined} />);
  screen.getByText('1 to 25 of at least 26');
});

test('a page is headed by its name alone, with what it is about and the way back', async () => {
  const onBack = jest.fn();
  const { user } = show(
    <PageHead title="Log" about="What happened" onBack={onBack}>
      <button type="button">Run</button>
    </PageHead>,
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Log');
  screen.getByText('What happened');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(onBack).toHaveBeenCalledTimes(1);
});

test('choices on lines of their own are chosen by their labels, and what is done with one chooses nothing', async () => {
  const [onChange, onRemove] = [jest.fn(), jest.fn()];
  const { user } = show(
    <ChoiceLines
      label="File"
      value="a"
      options={[
        { value: 'a', label: 'One', note: '2 KB' },
        { value: 'b', label: 'Two', aside: <button onClick={onRemove}>Remove</button> },
      ]}
      onChange={onChange}
    />,
  );
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /One/ }).checked).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(onChange).not.toHaveBeenCalled();
  await user.click(screen.getByText('Two'));
  expect(onChange).toHaveBeenCalledWith('b');
});

test('what could not be read gives the keys to what it stands in when it is asked for again', async () => {
  function List() {
    const [hasFailed, setFailed] = useState(true);
    return (
      <section tabIndex={-1} aria-label="Rows">
        {hasFailed && <ErrorNotice message="Not now" onRetry={() => setFailed(false)} />}
      </section>
    );
  }
  const { user } = show(<List />);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Rows' }));
});

test('a list leaves whoever went elsewhere alone where what they pressed in it did not go', async () => {
  function List({ entries }: { readonly entries: readonly string[] }) {
    const { list, pressed } = useKeptFocus();
    return (
      <ul ref={list} tabIndex={-1}>
        {entries.map((entry, index) => (
          <li key={entry}>
            <button type="button" data-entry-action onClick={() => pressed(index)}>
              {entry}
            </button>
          </li>
        ))}
      </ul>
    );
  }
  const { rerender } = render(<List entries={['Ada', 'Bo']} />);
  const ada = screen.getByRole('button', { name: 'Ada' });
  await userEvent.click(ada);
  expect(document.activeElement).toBe(ada);
  act(() => ada.blur());
  rerender(<List entries={['Ada', 'Bo', 'Cy']} />);
  expect(document.activeElement).toBe(document.body);
  await userEvent.click(ada);
  rerender(<List entries={['Bo', 'Cy']} />);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Bo' }));
});

test('a strip says at which of its edges there is more, from right to left too', () => {
  show(<ScrollStrip role="toolbar">Many</ScrollStrip>);
  const strip = screen.getByRole('toolbar');
  expect(strip.dataset['more']).toBe('none');
  Object.defineProperties(strip, { scrollWidth: { value: 500 }, clientWidth: { value: 300 } });
  const scrollTo = (left: number) =>
    act(() => {
      strip.scrollLeft = left;
      strip.dispatchEvent(new Event('scroll'));
    });
  const seen = [0, 100, 200, -100, -200].map((left) => {
    scrollTo(left);
    return strip.dataset['more'];
  });
  expect(seen).toEqual(['end', 'both', 'start', 'both', 'start']);
});
