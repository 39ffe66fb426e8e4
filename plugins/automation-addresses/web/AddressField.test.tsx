import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { base, callPath, idOfAddress, type LastCall } from '../shared/index.ts';
import AddressField from './AddressField.tsx';

const project = aProject();
const path = `${base}/projects/${project.id}/addresses`;
const address = (letter: string) => letter.repeat(40);

interface ShowOptions {
  readonly first?: string;
  /** Makes an address. */
  readonly make?: () => unknown;
  readonly last?: () => LastCall | null;
}

/** The field in a draft; `made` is what was put into that. */
function show({ first = '', make = () => ({ address: address('a') }), last = () => null }: ShowOptions = {}) {
  const made = jest.fn<(value: string) => void>();
  function Draft() {
    const [value, setValue] = useState(first);
    const change = (next: string) => {
      made(next);
      setValue(next);
    };
    return <AddressField project={project} label="Address" value={value} onChange={change} />;
  }
  const memory = renderWithHost(<Draft />, {
    project,
    api: ({ method }) => (method === 'POST' ? make() : { call: last(), is_saved: true, refused: null }),
  });
  const posts = () => memory.requests.filter(({ method }: ApiRequest) => method === 'POST');
  return { ...memory, made, posts, user: userEvent.setup() };
}

const shown = () => screen.findByLabelText<HTMLInputElement>('Address');

afterEach(cleanup);

describe('the address of an automation', () => {
  test('is made once for a new one, and shown whole, as others call it', async () => {
    const { made, posts } = show();
    expect((await shown()).value).toBe(`${window.location.origin}${callPath(address('a'))}`);
    expect(made.mock.calls).toEqual([[address('a')]]);
    expect(posts()).toMatchObject([{ path }]);
  });

  test('that comes after its field has gone changes no draft any more', async () => {
    let answer: (made: object) => void = () => undefined;
    const { made, posts, unmount } = show({ make: () => new Promise((resolve) => (answer = resolve)) });
    await waitFor(() => expect(posts()).toHaveLength(1));
    unmount();
    await act(async () => answer({ address: address('a') }));
    expect(made).not.toHaveBeenCalled();
  });

  test('that could not be made is asked for again by a press', async () => {
    let isAway = true;
    const { user } = show({
      make() {
        if (isAway) throw new ApiError(503, 'Away');
        return { address: address('b') };
      },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('Away');
    isAway = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await shown()).value).toContain(address('b'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is changed by a press alone, and stays where no other one can be made', async () => {
    let isAway = true;
    const { user, made } = show({
      first: address('a'),
      make() {
        if (isAway) throw new ApiError(503, 'Away');
        return { address: address('b') };
      },
    });
    expect((await shown()).value).toContain(address('a'));
    await user.click(screen.getByRole('button', { name: 'Make a new address' }));
    await screen.findByRole('alert');
    expect((await shown()).value).toContain(address('a'));
    expect(made).not.toHaveBeenCalled();
    isAway = false;
    await user.click(screen.getByRole('button', { name: 'Make a new address' }));
    await waitFor(() => expect(made.mock.calls).toEqual([[address('b')]]));
  });
});

describe('what was sent last', () => {
  test('names what templates may name, and is read again when somebody calls', async () => {
    let call: LastCall | null = null;
    const { receive, requests, user } = show({ first: address('a'), last: () => call });
    await screen.findByText(/Nothing was sent to it yet/);
    expect(requests[0]?.path).toBe(`${path}/${idOfAddress(address('a'))}/last`);
    call = {
      at: '2026-01-02T03:04:05.000Z',
      body: { order: { id: 7, 'of day': 'x'.repeat(200) }, tags: [] },
    };
    act(() =>
      receive({ kind: 'objects', projectId: project.id, objectKind: 'automations', requestId: 'theirs' }),
    );
    await user.click(await screen.findByText(/^Sent last, /));
    const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines).toEqual([
      '{{trigger.body.order.id}} 7',
      expect.stringMatching(/^\{\{trigger\.body\.order\.[^}]*of day[^}]*\}\} x{80}$/),
      '{{trigger.body.tags}} []',
    ]);
  });

  test('may be a text, which is named as a whole', async () => {
    show({ first: address('a'), last: () => ({ at: '2026-01-02T03:04:05.000Z', body: 'ping' }) });
    await screen.findByText(/^Sent last, /);
    expect(screen.getByRole('listitem').textContent).toBe('{{trigger.body}} ping');
  });
});
