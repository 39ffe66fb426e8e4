import { afterEach, expect, test } from '@jest/globals';
import { ApiError, OwnerContext, useServerData } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';

afterEach(cleanup);

function Pages({ keepsLast }: { readonly keepsLast: boolean }) {
  const [of, setOf] = useState({ list: 'a', page: 1 });
  const { data, error, isLoading, isFetching } = useServerData<string>(
    { path: `/api/${of.list}`, query: { page: of.page } },
    { tags: [of.list], keepsLast },
  );
  return (
    <>
      <p aria-label="Shown" aria-busy={isFetching}>
        {data ?? (isLoading ? 'loading' : error?.message)}
      </p>
      <button type="button" onClick={() => setOf({ ...of, page: of.page + 1 })}>
        Next
      </button>
      <button type="button" onClick={() => setOf({ list: 'b', page: 1 })}>
        Other list
      </button>
    </>
  );
}

function show(keepsLast: boolean) {
  let answer = (): void => undefined;
  renderWithHost(<Pages keepsLast={keepsLast} />, {
    api: ({ path, query }) =>
      new Promise((resolve, reject) => {
        const page = Number(query?.page);
        answer = () => (page === 3 ? reject(new ApiError(500, 'Not now')) : resolve(`${path} ${page}`));
      }),
  });
  const shown = () => screen.getByLabelText('Shown').textContent;
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  /** Waits until a request is there to be answered. */
  const goOn = async () => {
    const before = shown();
    await waitFor(() => {
      answer();
      expect(screen.getByLabelText('Shown').getAttribute('aria-busy')).toBe('false');
    });
    return [before, shown()];
  };
  return { press, goOn };
}

test('a page of a list stays in sight until the next one is answered, and goes where that is refused', async () => {
  const { press, goOn } = show(true);
  expect(await goOn()).toEqual(['loading', '/api/a 1']);
  await press('Next');
  expect(await goOn()).toEqual(['/api/a 1', '/api/a 2']);
  await press('Next');
  expect(await goOn()).toEqual(['/api/a 2', 'Not now']);
});

test('nothing of a list stays for another one', async () => {
  const { press, goOn } = show(true);
  await goOn();
  await press('Other list');
  expect(await goOn()).toEqual(['loading', '/api/b 1']);
});

test('nothing stays where nobody says that it is the same list', async () => {
  const { press, goOn } = show(false);
  await goOn();
  await press('Next');
  expect(await goOn()).toEqual(['loading', '/api/a 2']);
});

function Sorts() {
  const { data } = useServerData<string>({ path: '/api/sorts' }, { tags: ['view'] });
  return <p>{data}</p>;
}

test('what two plugins show is asked for once, and once again after a change', async () => {
  let answer = 'by name';
  const { host, requests } = renderWithHost(
    ['acme', 'globex'].map((owner) => (
      <OwnerContext key={owner} value={owner}>
        <Sorts />
      </OwnerContext>
    )),
    { api: () => answer },
  );
  expect(await screen.findAllByText('by name')).toHaveLength(2);
  expect(requests).toHaveLength(1);
  answer = 'by age';
  act(() => host.invalidate(['view']));
  await waitFor(() => expect(screen.getAllByText('by age')).toHaveLength(2));
  expect(requests).toHaveLength(2);
});
