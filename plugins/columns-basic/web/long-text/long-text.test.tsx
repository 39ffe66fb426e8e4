import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CellEditor, defineWebColumnType } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { Grid } from '@trellis/sdk/web/grid';
import { type CellChange, MemoryRows } from '@trellis/sdk/web/rows';
import { Suspense } from 'react';
import { longText } from '../../shared/index.ts';
import { LongTextCell } from './LongTextCell.tsx';
import { lineOf, readBlocks } from './markdown-blocks.ts';
import { MarkdownView } from './MarkdownView.tsx';
import { LongTextEditor } from './LongTextEditor.tsx';

const rich = { richMode: true };
const notes = aColumn('cl_1', 'Notes', { uidt: 'LongText', meta: rich });

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

function drawn(text: string): HTMLElement {
  const { container } = render(<MarkdownView text={text} />);
  return container;
}

describe('a text of Markdown', () => {
  test('is drawn with headings, lists, tasks, quotes, code and links', () => {
    const shown = drawn(
      [
        '# Title',
        'Some **bold** and *italic* ~~old~~ `code`',
        'next line with [a page](https://example.com/a_(b)) and https://example.org/x.',
        '',
        '- one',
        '- [x] done',
        '1. first',
        '> said',
        '```',
        '**as it is**',
        '```',
        '---',
      ].join('\n'),
    );
    expect(shown.innerHTML).toBe(
      '<div class="cb-markdown" dir="auto"><h3>Title</h3>' +
        '<p><span>Some <strong>bold</strong> and <em>italic</em> <del>old</del> <code>code</code></span>' +
        '<span><br>next line with <a href="https://example.com/a_(b)" target="_blank" rel="noopener noreferrer">a page</a>' +
        ' and <a href="https://example.org/x" target="_blank" rel="noopener noreferrer">https://example.org/x</a>.</span></p>' +
        '<ul><li>one</li><li class="cb-task"><input disabled="" aria-label="" type="checkbox" checked="">done</li></ul>' +
        '<ol><li>first</li></ol><blockquote><span>said</span></blockquote>' +
        '<pre><code>**as it is**</code></pre><hr></div>',
    );
  });

  test.each([
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['\\*not italic\\*', '*not italic*'],
    ['**never closed', '**never closed'],
    ['[no address](nowhere)', '[no address](nowhere)'],
  ])('keeps what is no mark: %s', (text, words) => {
    expect(drawn(text).textContent).toBe(words);
    expect(drawn(text).querySelector('em, strong, a')).toBeNull();
  });

  test.each([
    '<script>globalThis.hit = 1</script>',
    '<img src=x onerror="globalThis.hit = 1">',
    '**<svg onload=globalThis.hit=1>**',
    '[x](javascript:globalThis.hit=1)',
    '[x](JaVaScRiPt:globalThis.hit=1)',
    '[x](  javascript:1)',
    '[x](java\tscript:1)',
    '[x](data:text/html,<script>1</script>)',
    '[x](vbscript:1)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '![x](https://evil.example/pixel.png)',
    '[<img src=x onerror=1>](https://example.com)',
    '```\n<script>1</script>\n```',
    '# <iframe src=javascript:1></iframe>',
    '> <a href="javascript:1">x</a>',
    '[x](https://example.com" onmouseover="globalThis.hit=1)',
  ])('runs and loads nothing: %s', (attack) => {
    const shown = drawn(attack);
    expect(
      shown.querySelector(
        'script, img, svg, iframe, object, embed, style, [onerror], [onload], [onmouseover]',
      ),
    ).toBeNull();
    for (const anchor of shown.querySelectorAll('a'))
      expect(anchor.getAttribute('href')).toMatch(/^(?:https?:\/\/|mailto:)/);
    expect(globalThis).not.toHaveProperty('hit');
  });

  test('is read in steps that grow with its length alone', () => {
    let steps = 0;
    const counting = jest.spyOn(String.prototype, 'indexOf').mockImplementation(function (
      this: string,
      search: string,
      from?: number,
    ) {
      steps += 1;
      return Array.prototype.indexOf.call([], search, from);
    });
    try {
      readBlocks('**a *b _c ~~d `e '.repeat(20_000));
      // Each sign is looked for once: after that it is known to have no end.
      expect(steps).toBeLessThan(20);
    } finally {
      counting.mockRestore();
    }
    for (const hostile of ['[', '[a](', '**', '_a', '`', '> ', '- [ ] ', '\\', 'https://'])
      expect(readBlocks(hostile.repeat(50_000)).length).toBeGreaterThan(0);
  });

  test('is looked at once for fences and for addresses, however many do not close or lead nowhere', () => {
    const looks = jest.spyOn(RegExp.prototype, 'test');
    expect(readBlocks('```\n'.repeat(3000))).toHaveLength(1500);
    // Each line is told by a handful of patterns.
    expect(looks.mock.calls.length).toBeLessThan(3000 * 10);
    looks.mockRestore();

    let read = 0;
    const { URL } = globalThis;
    globalThis.URL = class extends URL {
      constructor(address: string | URL) {
        read += String(address).length;
        super(address);
      }
    };
    try {
      const source = 'http://%'.repeat(2000);
      expect(lineOf(source)).toBe(source.slice(0, 500));
      expect(readBlocks(source)).toMatchObject([{ lines: [[{ kind: 'text', text: source }]] }]);
      expect(read).toBeLessThan(source.length + 1000);
    } finally {
      globalThis.URL = URL;
    }
  });

  test('end lines at every mark that ends one, so that a pattern never stops within a line', () => {
    for (const mark of ['\r', '\u2028', '\u2029', '\r\n'])
      expect(readBlocks(`# ${' '.repeat(1000)}a${mark}b`)).toMatchObject([
        { kind: 'heading' },
        { kind: 'paragraph' },
      ]);
  });

  test('stands in a cell on one line without its marks', () => {
    expect(lineOf('## Plan\n\n- **one**\n- [ ] two\n\n> said')).toBe('Plan • one • two said');
  });
});

describe('the editor of a text of Markdown', () => {
  function edit(value: string | null, initialText?: string) {
    const onCommit = jest.fn();
    const onCancel = jest.fn();
    renderWithHost(
      <LongTextEditor
        autoFocus
        value={value}
        initialText={initialText}
        column={notes}
        options={rich}
        onChange={jest.fn()}
        onCommit={onCommit}
        onCancel={onCancel}
      />,
    );
    const area = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Notes' });
    return { onCommit, onCancel, area, user: userEvent.setup() };
  }

  test('marks the selection by a key, takes the mark away by the same, and keeps by Ctrl+Enter', async () => {
    const { onCommit, area, user } = edit('one two');
    area().setSelectionRange(4, 7);
    await user.keyboard('{Control>}b{/Control}');
    expect(area().value).toBe('one **two**');
    await user.keyboard('{Control>}b{/Control}');
    expect(area().value).toBe('one two');
    await user.keyboard('{Control>}i{/Control}{Control>}{Enter}{/Control}');
    expect(onCommit.mock.calls).toEqual([['one *two*']]);
  });

  test('makes lines a list, breaks lines by Enter, and shows what it will look like', async () => {
    const { area, user } = edit('one\ntwo');
    area().setSelectionRange(0, 7);
    await user.click(screen.getByRole('button', { name: 'List' }));
    expect(area().value).toBe('- one\n- two');
    await user.keyboard('{End}{Enter}');
    await user.click(screen.getByRole('button', { name: 'Preview' }));
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['one', 'two']);
    await user.click(screen.getByRole('button', { name: 'Write' }));
    expect(area().value).toContain('- one\n- two');
  });

  test('begins with what was typed, and Escape takes everything back', async () => {
    const { onCommit, onCancel, area, user } = edit('stored', 'x');
    expect(area().value).toBe('x');
    await user.keyboard('yz{Escape}');
    expect(onCancel).toHaveBeenCalledTimes(1);
    expect(onCommit).not.toHaveBeenCalled();
  });
});

describe('a cell of long text', () => {
  const plain = aColumn('cl_2', 'Text', { uidt: 'LongText' });

  const type = defineWebColumnType({
    ...longText,
    Cell: LongTextCell,
    Editor: 'longText',
    editorFor: ({ richMode }) => (richMode ? LongTextEditor : 'longText'),
    WholeEditor: LongTextEditor,
  });

  /** A grid of three rows with a long text, with the second one's text open. */
  async function openSecond(column: typeof plain) {
    jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    const source = new MemoryRows(
      [0, 1, 2].map((n) => ({ key: `k${n}`, values: { [column.id]: `text ${n}` } })),
    );
    const written = jest.fn<(changes: readonly CellChange[]) => void>();
    renderWithHost(
      <Suspense>
        <Grid
          label="Notes"
          project={aProject()}
          table={aTable([column])}
          columns={[{ entity: column, type, width: 200 }]}
          source={source}
          onCommitCells={(changes) => {
            written(changes);
            return Promise.resolve([]);
          }}
        />
      </Suspense>,
    );
    const user = userEvent.setup();
    const input = await screen.findByRole('textbox');
    act(() => input.focus());
    await user.keyboard('{ArrowDown}');
    await user.click(screen.getByRole('button', { name: 'Open the whole text' }));
    const area = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: column.title });
    const calls = () => written.mock.calls.flat(2).map(({ rowKey, value }) => [rowKey, value]);
    return { source, calls, area, user };
  }

  test('opens whole, is edited there, and is kept by a press outside', async () => {
    const { calls, area, user } = await openSecond(plain);
    await user.type(area(), '{End} and long');
    await user.click(document.querySelector('.tr-popover-mask') as Element);
    expect(calls()).toEqual([['k1', 'text 1 and long']]);
  });

  test('is written to its own row when others come and go above while it is open', async () => {
    const { source, calls, area, user } = await openSecond(plain);
    await user.type(area(), '{End} of mine');
    act(() => {
      source.rows = [{ key: 'new', values: {} }, ...source.rows];
    });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(calls()).toEqual([['k1', 'text 1 of mine']]);
  });

  test('is asked for before the page is left, and kept when its row goes out of sight', async () => {
    const { source, calls, area, user } = await openSecond(plain);
    await user.type(area(), '{End} of mine');
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    act(() => {
      source.rows = source.rows.filter(({ key }) => key !== 'k1');
    });
    expect(area().value).toBe('text 1 of mine');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(calls()).toEqual([['k1', 'text 1 of mine']]);
  });

  test.each([
    ['plain', plain],
    ['marked', notes],
  ])('that was only read takes nothing back that others wrote: %s', async (_, column) => {
    const { source, calls, area, user } = await openSecond(column);
    act(() => source.put(1, { [column.id]: 'by somebody else' }));
    await user.click(document.querySelector('.tr-popover-mask') as Element);
    expect(calls()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Open the whole text' }));
    expect(area().value).toBe('by somebody else');
    await user.keyboard('!{Backspace}');
    act(() => source.put(1, { [column.id]: 'by a third' }));
    await user.click(document.querySelector('.tr-popover-mask') as Element);
    expect(calls()).toEqual([]);
  });

  test('that cannot be written opens to be read', async () => {
    renderWithHost(
      <LongTextCell value="**all** of it" row={undefined} column={notes} options={rich} selected />,
    );
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open the whole text' }));
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(document.querySelector('.cb-markdown strong')?.textContent).toBe('all');
  });

  test('is edited with marks in a form where its column asks for them, and plainly elsewhere', () => {
    const field = (column: typeof plain) => (
      <CellEditor column={column} type={type} value="text" onCommit={jest.fn()} />
    );
    renderWithHost(field(plain));
    expect(screen.queryByRole('toolbar')).toBeNull();
    cleanup();
    renderWithHost(field(notes));
    expect(screen.getByRole('toolbar', { name: 'Marks of the text' })).toBeTruthy();
  });

  describe('in a form', () => {
    function showForm() {
      const committed = jest.fn();
      const { rerender } = renderWithHost(form('stored'));
      function form(value: string) {
        return <CellEditor column={notes} type={type} value={value} onCommit={committed} />;
      }
      const area = () => screen.getByRole<HTMLTextAreaElement>('textbox');
      const leave = () => act(() => area().blur());
      return {
        area,
        leave,
        committed,
        store: (value: string) => rerender(form(value)),
        user: userEvent.setup(),
      };
    }

    test('stays as it is written while somebody else stores another, and says so', async () => {
      const { area, leave, committed, store, user } = showForm();
      await user.type(area(), '{End} and mine');
      store('by somebody else');
      expect(area().value).toBe('stored and mine');
      expect(screen.getByRole('status').textContent).toContain('by somebody else');
      await user.type(area(), '!');
      leave();
      expect(committed.mock.calls).toEqual([['stored and mine!']]);
    });

    test('that was written and taken back takes nothing back of somebody else', async () => {
      const { area, leave, committed, store, user } = showForm();
      await user.type(area(), '{End}!');
      store('by somebody else');
      await user.type(area(), '{Backspace}');
      expect(area().value).toBe('by somebody else');
      leave();
      expect(committed).not.toHaveBeenCalled();
    });
  });
});
