import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import type { LiveEvent } from '@trellis/sdk/shared';
import type { ApiRequest } from '@trellis/sdk/web';
import type { DevelopmentMistake } from '../shared/index.ts';
import { DevelopmentMistakes } from './DevelopmentMistakes.tsx';

const path = '/api/v1/app-store/dev/mistakes';
let list: readonly DevelopmentMistake[];

const changed: LiveEvent = {
  kind: 'objects',
  projectId: '',
  objectKind: 'development-mistakes',
  requestId: '',
};

/** A page that is opened now. */
const open = () =>
  renderWithHost(<DevelopmentMistakes />, {
    user: { roles: { super: true } },
    api: {
      [`GET ${path}`]: () => ({ list }),
      [`POST ${path}`]: ({ body }: ApiRequest) => {
        list = list.filter(({ id }) => id !== (body as { readonly id: string }).id);
        return {};
      },
    },
  });

afterEach(cleanup);

test('a page that is opened later shows the mistakes that still stand, and those that come', async () => {
  list = [{ id: 'acme-mood', mistakes: 'web/index.tsx:2:10 is wrong' }];
  const { receive } = open();
  const shown = () => screen.getAllByRole('alert').map((notice) => notice.textContent);
  await screen.findByText('web/index.tsx:2:10 is wrong');
  list = [...list, { id: 'acme-desk', mistakes: 'server/index.ts:4:2 is wrong' }];
  act(() => receive(changed));
  await waitFor(() =>
    expect(shown()).toEqual([
      expect.stringContaining("'acme-mood', which somebody works on"),
      expect.stringContaining("'acme-desk', which somebody works on"),
    ]),
  );
  list = [];
  act(() => receive(changed));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('one that somebody closes is taken away for everybody', async () => {
  list = [{ id: 'acme-mood', mistakes: 'web/index.tsx:2:10 is wrong' }];
  const { requests } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(requests.filter(({ method }) => method === 'POST')).toMatchObject([
    { path, body: { id: 'acme-mood' } },
  ]);
});
