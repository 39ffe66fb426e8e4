import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { CellValue, AttachedFile } from '@trellis/sdk/shared';
import { ApiError, CellEditor, defineWebColumnType, type ApiRequest } from '@trellis/sdk/web';
import { aColumn, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState, type ComponentProps } from 'react';
import { attachment, type AttachmentOptions } from '../shared/index.ts';
import { AttachmentCell } from './AttachmentCell.tsx';
import AttachmentEditor from './AttachmentEditor.tsx';

const column = aColumn('cl_1', 'Photos', { uidt: 'Attachment', meta: {} });
const anyFile: AttachmentOptions = { maximumFiles: 0, maximumMegabytes: 0, accept: '' };
const ids = { a: 'A'.repeat(22), b: 'B'.repeat(22), c: 'C'.repeat(22) };

function stored(id: keyof typeof ids, title: string, mimetype = 'image/png'): AttachedFile {
  return { url: `https://old.example.com/download/shop/${ids[id]}.png`, title, mimetype, size: 1500 };
}
const pot = stored('a', 'pot.png');
const notes = stored('b', 'notes.txt', 'text/plain');
const textOf = (...files: readonly AttachedFile[]) => JSON.stringify(files);
const png = (name: string, type = 'image/png') => new File(['x'], name, { type });

afterEach(cleanup);

/** A server that keeps what it is sent, once the test lets it. */
function uploads() {
  const waiting: (() => void)[] = [];
  const requests: ApiRequest[] = [];
  let isHeld = false;
  const api = async (request: ApiRequest): Promise<unknown> => {
    requests.push(request);
    const sent = request.body instanceof FormData ? (request.body.get('file') as File).name : 'fetched.png';
    if (isHeld)
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        request.signal?.addEventListener('abort', () => reject(new ApiError(0, 'given up', 'ABORTED')));
      });
    if (sent === 'bad.png') throw new ApiError(413, '“bad.png” is too large');
    return [{ ...stored('c', sent), size: 1 }];
  };
  return {
    api,
    requests,
    hold: () => (isHeld = true),
    release: () => waiting.splice(0).forEach((go) => go()),
  };
}

interface Shown extends MemoryHostOptions {
  readonly onLate?: ComponentProps<typeof AttachmentEditor>['onLate'];
  readonly initialFiles?: readonly File[];
  readonly limits?: Partial<AttachmentOptions>;
}

function inGrid(value: string | null, { initialFiles, limits, onLate, ...host }: Shown = {}) {
  const onCommit = jest.fn<(value: CellValue) => void>();
  const onChange = jest.fn();
  const { unmount, toasts } = renderWithHost(
    <AttachmentEditor
      autoFocus
      onLate={onLate}
      value={value}
      initialFiles={initialFiles}
      column={column}
      options={{ ...anyFile, ...limits }}
      limit={50}
      onChange={onChange}
      onCommit={onCommit}
      onCancel={jest.fn()}
    />,
    host,
  );
  const filesOfLast = () => JSON.parse(onCommit.mock.lastCall?.[0] as string) as readonly AttachedFile[];
  const titles = () => filesOfLast().map(({ title }) => title);
  return { onCommit, onChange, titles, unmount, toasts, user: userEvent.setup() };
}

const chooser = () => screen.getByLabelText<HTMLInputElement>('Choose files', { selector: 'input' });

/** Whether the browser would ask before the page is left. */
function leavesAsking(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('the cell', () => {
  const show = (value: string | null, more: object = {}) =>
    renderWithHost(
      <AttachmentCell
        value={value}
        row={undefined}
        column={column}
        options={anyFile}
        selected={false}
        {...more}
      />,
    );

  test('shows pictures from this site, whatever address the site had, and an icon of everything else', () => {
    const { container } = show(textOf(pot, notes));
    expect([...container.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
      `/download/shop/${ids.a}.png`,
    ]);
    expect(
      screen.getByRole('button', { name: 'Show “notes.txt”' }).querySelector('.pi-align-left'),
    ).not.toBeNull();
  });

  test('shows a picture that is not small by a smaller one, also where the picture itself is too large to be loaded', () => {
    const [large, huge, unread] = [
      { ...pot, size: 5_000_000 },
      { ...pot, size: 20_000_000 },
      { ...pot, size: 20_000_000, mimetype: 'image/bmp' },
    ];
    const { container } = show(textOf(large, huge, unread));
    const small = `/download/shop/${ids.a}.png?preview=small`;
    expect([...container.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
      small,
      small,
    ]);
  });

  test('loads nothing from another site: a link is a link', async () => {
    const link = { url: 'https://example.com/a.png', title: 'a.png', mimetype: 'image/png' };
    const { container } = show(textOf(link));
    expect(container.querySelector('img')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show “a.png”' }));
    const open = await screen.findByRole('link', { name: 'Open the link' });
    expect([open.getAttribute('href'), open.getAttribute('rel')]).toEqual([link.url, 'noopener noreferrer']);
  });

  test('takes an address of another Trellis for a link, of which the server knows no size', async () => {
    const url = `https://other.example.com/download/shop/${ids.a}.png`;
    const { container } = show(textOf({ url, title: 'a.png' }));
    expect(container.querySelector('img')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show “a.png”' }));
    expect((await screen.findByRole('link', { name: 'Open the link' })).getAttribute('href')).toBe(url);
  });

  test('shows what is no list of files as it is stored', () => {
    show('{"broken": true}');
    expect(screen.getByText('{"broken": true}')).toBeTruthy();
  });

  test('says in an empty selected cell what to do, where it can be written', () => {
    show(null, { selected: true, onChange: jest.fn() });
    expect(screen.getByText('Drop files or press Enter')).toBeTruthy();
    cleanup();
    expect(show(null, { selected: true }).container.textContent).toBe('');
  });

  test('gives way to the icon where a picture cannot be read', () => {
    const { container } = show(textOf(pot));
    const image = container.querySelector('img');
    if (image !== null) fireEvent.error(image);
    expect(container.querySelector('.pi-image')).not.toBeNull();
  });
});

describe('the preview', () => {
  test('goes round by the arrow keys, and what lies under it hears nothing', async () => {
    const under = jest.fn();
    renderWithHost(
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for the grid
      <div onKeyDown={under}>
        <AttachmentCell
          value={textOf(pot, { ...notes, mimetype: 'application/zip' })}
          row={undefined}
          column={column}
          options={anyFile}
          selected={false}
        />
      </div>,
    );
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Show “pot.png”' }));
    await screen.findByRole('dialog', { name: 'pot.png' });
    await user.click(screen.getByRole('button', { name: 'Next file' }));
    expect(await screen.findByText('There is no preview of such files.')).toBeTruthy();
    await user.keyboard('{ArrowRight}');
    expect(await screen.findByRole('img', { name: 'pot.png' })).toBeTruthy();
    await user.keyboard('{ArrowLeft}{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(under).not.toHaveBeenCalled();
  });

  test('says of a picture whose storage is off what the server says', async () => {
    const asked: unknown[] = [];
    const former = globalThis.fetch;
    globalThis.fetch = async (address) => {
      asked.push(address);
      const body = { msg: "This file is kept by 's3', which is switched off.", code: 'STORAGE_ABSENT' };
      return { status: 503, json: async () => body } as Response;
    };
    try {
      const options = { value: textOf(pot), row: undefined, column, options: anyFile, selected: false };
      renderWithHost(<AttachmentCell {...options} />);
      await userEvent.setup().click(screen.getByRole('button', { name: 'Show “pot.png”' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'pot.png' }));
      fireEvent.error(await dialog.findByRole('img', { name: 'pot.png' }));
      expect(await dialog.findByText(/kept by 's3', which is switched off/)).toBeTruthy();
      expect(asked).toEqual([`/download/shop/${ids.a}.png`]);
    } finally {
      globalThis.fetch = former;
    }
  });
});

describe('the editor of a cell', () => {
  test('adds what is chosen, behind what is there', async () => {
    const { api, requests } = uploads();
    const { user, titles } = inGrid(textOf(pot), { api });
    await user.upload(chooser(), [png('one.png'), png('two.png')]);
    await screen.findByRole('button', { name: 'Remove “two.png”' });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/db/storage/upload',
      query: { path: `noco/${column.project_id}/${column.fk_model_id}/cl_1` },
    });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(titles()).toEqual(['pot.png', 'one.png', 'two.png']);
  });

  test('begins with what was dropped, and is done by itself when all of it has arrived', async () => {
    const { api } = uploads();
    const { onCommit, titles } = inGrid(textOf(pot), { api, initialFiles: [png('one.png')] });
    await waitFor(() => expect(onCommit).toHaveBeenCalledTimes(1));
    expect(titles()).toEqual(['pot.png', 'one.png']);
  });

  describe('that goes while files are on their way', () => {
    type OnLate = NonNullable<ComponentProps<typeof AttachmentEditor>['onLate']>;

    function leaveEarly() {
      const { hold, ...server } = uploads();
      hold();
      const onLate = jest.fn<OnLate>();
      const initialFiles = ['1', 'bad', '3', '4'].map((name) => png(`${name}.png`));
      const shown = inGrid(textOf(pot), { api: server.api, initialFiles, onLate });
      shown.unmount();
      return { ...shown, ...server, onLate };
    }
    const made = (onLate: jest.Mock<OnLate>, now: string | null | undefined) => {
      const cell = JSON.parse(onLate.mock.lastCall?.[0](now) ?? '[]') as readonly AttachedFile[];
      return cell.map(({ title }) => title);
    };

    test('adds what arrives to what the cell holds by then, and tells what was refused', async () => {
      const { onLate, release, requests, toasts } = leaveEarly();
      expect(toasts.map(({ summary }) => summary)).toEqual(['Files are still being uploaded.']);
      expect(leavesAsking()).toBe(true);
      await waitFor(() => expect(requests).toHaveLength(3));
      release();
      await waitFor(() => expect(requests).toHaveLength(4));
      expect(onLate).not.toHaveBeenCalled();
      release();
      await waitFor(() => expect(onLate).toHaveBeenCalledTimes(1));
      expect(made(onLate, textOf(notes))).toEqual(['notes.txt', '1.png', '3.png', '4.png']);
      expect(made(onLate, undefined)).toEqual(['pot.png', '1.png', '3.png', '4.png']);
      expect(toasts.at(-1)).toMatchObject({ severity: 'error', summary: 'bad.png' });
      expect(leavesAsking()).toBe(false);
    });

    test('sends nothing more once the person cancels it', async () => {
      const { onLate, requests, toasts } = leaveEarly();
      await waitFor(() => expect(requests).toHaveLength(3));
      toasts[0]?.action?.run();
      await waitFor(() => expect(leavesAsking()).toBe(false));
      expect(requests).toHaveLength(3);
      expect(requests.every(({ signal }) => signal?.aborted)).toBe(true);
      expect(onLate).not.toHaveBeenCalled();
    });
  });

  test('stays open where a dropped file was refused, and says why', async () => {
    const { api } = uploads();
    const { onCommit, user, titles } = inGrid(null, { api, initialFiles: [png('bad.png'), png('good.png')] });
    expect((await screen.findByRole('alert')).textContent).toBe('bad.png: “bad.png” is too large');
    await screen.findByRole('button', { name: 'Remove “good.png”' });
    expect(onCommit).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(titles()).toEqual(['good.png']);
  });

  test('shows how far an upload is, is not closed meanwhile, and cancels one', async () => {
    const { api, requests, hold, release } = uploads();
    hold();
    const { user, onCommit, titles } = inGrid(null, { api });
    await user.upload(chooser(), [png('one.png'), png('two.png')]);
    act(() => requests[0]?.onProgress?.(0.5));
    const bar = screen.getByRole('progressbar', { name: 'Upload of “one.png”' });
    expect(leavesAsking()).toBe(true);
    expect(bar.getAttribute('aria-valuenow')).toBe('50');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('status').textContent).toContain('still being uploaded');
    expect(onCommit).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Cancel the upload of “one.png”' }));
    expect(requests[0]?.signal?.aborted).toBe(true);
    release();
    await screen.findByRole('button', { name: 'Remove “two.png”' });
    await user.keyboard('{Escape}');
    expect(titles()).toEqual(['two.png']);
    await waitFor(() => expect(leavesAsking()).toBe(false));
  });

  test('goes on with what waits where others that waited are taken away', async () => {
    const { api, requests, hold, release } = uploads();
    hold();
    const { user, titles } = inGrid(null, { api });
    await user.upload(
      chooser(),
      ['1', '2', '3', '4', '5', '6', '7'].map((name) => png(`${name}.png`)),
    );
    for (const name of ['4', '5', '6'])
      await user.click(screen.getByRole('button', { name: `Cancel the upload of “${name}.png”` }));
    expect(requests).toHaveLength(3);
    release();
    await waitFor(() => expect(requests).toHaveLength(4));
    release();
    await screen.findByRole('button', { name: 'Remove “7.png”' });
    await user.keyboard('{Escape}');
    expect(titles()).toEqual(['1.png', '2.png', '3.png', '7.png']);
  });

  test('sends nothing that its column or the server does not take', async () => {
    const { api, requests } = uploads();
    const { user } = inGrid(textOf(pot), { api, limits: { maximumFiles: 2, accept: 'image/*' } });
    const large = png('large.png');
    Object.defineProperty(large, 'size', { value: 51 * 1024 * 1024 });
    await user.upload(chooser(), large);
    fireEvent.drop(chooser(), {
      dataTransfer: { types: ['Files'], files: [png('a.txt', 'text/plain'), png('b.png'), png('c.png')] },
    });
    await screen.findByRole('button', { name: 'Remove “b.png”' });
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'large.png: is larger than 50 MB',
      'a.txt: is none of image/*',
      'c.png: A cell of this column holds 2 files at most.',
    ]);
    expect(requests).toHaveLength(1);
  });

  test('renames, moves and removes', async () => {
    const { user, titles } = inGrid(textOf(pot, notes, stored('c', 'last.png')));
    const name = screen.getByRole('textbox', { name: 'Name of “pot.png”' });
    await user.clear(name);
    await user.type(name, 'Teapot.png');
    // An input method's Enter is none of ours.
    fireEvent.keyDown(name, { key: 'Enter', isComposing: true });
    expect(screen.getByRole('button', { name: 'Remove “pot.png”' })).toBeTruthy();
    await user.keyboard('{Enter}');
    act(() => screen.getByRole('button', { name: 'Move “last.png” by the arrow keys' }).focus());
    await user.keyboard('{ArrowUp}');
    await user.click(screen.getByRole('button', { name: 'Remove “notes.txt”' }));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(titles()).toEqual(['Teapot.png', 'last.png']);
  });

  test('takes a pasted picture, and has one fetched from an address', async () => {
    const { api, requests } = uploads();
    const { user, titles } = inGrid(null, { api });
    fireEvent.paste(chooser(), {
      clipboardData: { files: [png('image.png')], types: ['Files'] },
    });
    await screen.findByRole('button', { name: 'Remove “image.png”' });
    await user.type(screen.getByLabelText('From a URL'), 'https://example.com/a.png{Enter}');
    await screen.findByRole('button', { name: 'Remove “fetched.png”' });
    expect(requests[1]).toMatchObject({
      path: '/api/v1/db/storage/upload-by-url',
      body: [{ url: 'https://example.com/a.png' }],
    });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(titles()).toEqual(['image.png', 'fetched.png']);
  });

  test('keeps what others add to the cell and take out of it while it is open', async () => {
    const { api } = uploads();
    const onCommit = jest.fn<(value: CellValue) => void>();
    function Cell() {
      const [value, setValue] = useState<string | null>(textOf(pot, notes));
      return (
        <>
          <button
            type="button"
            onClick={() =>
              setValue(
                textOf(pot, { ...stored('b', 'theirs.png'), url: `/download/shop/${'D'.repeat(22)}.png` }),
              )
            }
          >
            Others
          </button>
          <AttachmentEditor
            autoFocus
            value={value}
            column={column}
            options={anyFile}
            limit={50}
            onChange={jest.fn()}
            onCommit={onCommit}
            onCancel={jest.fn()}
          />
        </>
      );
    }
    renderWithHost(<Cell />, { api });
    const user = userEvent.setup();
    await user.upload(chooser(), [png('mine.png')]);
    await screen.findByRole('button', { name: 'Remove “mine.png”' });
    fireEvent.click(screen.getByText('Others'));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    const files = JSON.parse(onCommit.mock.lastCall?.[0] as string) as readonly AttachedFile[];
    expect(files.map(({ title }) => title)).toEqual(['pot.png', 'mine.png', 'theirs.png']);
  });

  test('that a typed character opened holds the files that are there', async () => {
    const onChange = jest.fn();
    renderWithHost(
      <AttachmentEditor
        autoFocus
        value={textOf(pot)}
        initialText="x"
        column={column}
        options={anyFile}
        limit={50}
        onChange={onChange}
        onCommit={jest.fn()}
        onCancel={jest.fn()}
      />,
    );
    expect(onChange).toHaveBeenLastCalledWith({ kind: 'value', value: textOf(pot) });
  });
});

describe('the editor in a form', () => {
  const type = defineWebColumnType({
    ...attachment,
    Editor: (props) => <AttachmentEditor {...props} limit={50} />,
  });

  function Field({ onCommit }: { readonly onCommit: (value: CellValue) => void }) {
    const [value, setValue] = useState<CellValue>(textOf(pot));
    return (
      <CellEditor
        column={column}
        type={type}
        value={value}
        onCommit={(next) => {
          onCommit(next);
          setValue(next);
        }}
      />
    );
  }

  test('has the form wait while files are uploaded, and goes on when others change the cell', async () => {
    const { api, requests, hold, release } = uploads();
    hold();
    const onCommit = jest.fn<(value: CellValue) => void>();
    const onProblem = jest.fn();
    function Form() {
      const [value, setValue] = useState<CellValue>(null);
      return (
        <>
          <button type="button" onClick={() => setValue(textOf(pot))}>
            Others
          </button>
          <CellEditor column={column} type={type} value={value} onCommit={onCommit} onProblem={onProblem} />
        </>
      );
    }
    renderWithHost(<Form />, { api });
    await userEvent.upload(chooser(), [png('one.png'), png('two.png')]);
    expect(onProblem).toHaveBeenLastCalledWith(expect.stringContaining('still being uploaded'));
    await userEvent.click(screen.getByRole('button', { name: 'Others' }));
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
    await act(async () => release());
    await waitFor(() => expect(onCommit).toHaveBeenCalledTimes(1));
    const files = JSON.parse(onCommit.mock.lastCall?.[0] as string) as readonly AttachedFile[];
    expect(files.map(({ title }) => title)).toEqual(['one.png', 'two.png', 'pot.png']);
    expect(onProblem).toHaveBeenLastCalledWith(undefined);
  });

  test('is named once, by what stands around its files', () => {
    renderWithHost(
      <>
        <span id="photos">Photos</span>
        <CellEditor column={column} type={type} value={null} labelledBy="photos" onCommit={jest.fn()} />
      </>,
    );
    expect(screen.getAllByRole('group', { name: 'Photos' })).toHaveLength(1);
  });

  test('writes each change at once, and a failed upload is told when the rest is written', async () => {
    const { api } = uploads();
    const onCommit = jest.fn<(value: CellValue) => void>();
    const { toasts } = renderWithHost(<Field onCommit={onCommit} />, { api });
    const user = userEvent.setup();
    await user.upload(chooser(), [png('bad.png'), png('good.png')]);
    const list = await screen.findByRole('list', { name: 'Files' });
    await within(list).findByRole('button', { name: 'Remove “good.png”' });
    expect(onCommit).toHaveBeenCalledTimes(1);
    expect(toasts).toMatchObject([{ severity: 'error', summary: 'bad.png' }]);
    await user.click(screen.getByRole('button', { name: 'Remove “pot.png”' }));
    const last = JSON.parse(onCommit.mock.lastCall?.[0] as string) as readonly AttachedFile[];
    expect(last.map(({ title }) => title)).toEqual(['good.png']);
  });
});
