import { afterEach, expect, jest, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { PersonMark } from '@trellis/sdk/web/ui';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { PictureField } from './PictureField.tsx';

const path = '/api/v1/auth/user/picture';
const file = new File(['x'], 'me.png', { type: 'image/png' });

afterEach(cleanup);

function show(shrunk: string | undefined, picture: string | null = null) {
  const memory = renderWithHost(<PictureField shrink={() => Promise.resolve(shrunk)} />, {
    user: { id: 'us_1', email: 'ann@example.com', picture },
    api: { [`PUT ${path}`]: { picture: '/p' }, [`DELETE ${path}`]: { picture: null } },
  });
  jest.spyOn(memory.host.session, 'check').mockResolvedValue();
  return { ...memory, user: userEvent.setup({ applyAccept: false }) };
}

test('a chosen picture is sent once it is small', async () => {
  const { user, requests, toasts } = show('AAAA');
  await user.upload(screen.getByLabelText('Picture of you'), file);
  await waitFor(() => expect(toasts).toMatchObject([{ summary: 'Your picture is saved' }]));
  expect(requests[0]).toMatchObject({ method: 'PUT', path, body: { picture: 'AAAA' } });
});

test('a file that is none is told of, and nothing is sent', async () => {
  const { user, requests, toasts } = show(undefined);
  await user.upload(screen.getByLabelText('Picture of you'), file);
  await waitFor(() => expect(toasts).toMatchObject([{ severity: 'error' }]));
  expect(requests).toEqual([]);
});

test('the own picture is taken away', async () => {
  const { user, requests } = show(undefined, '/api/v1/auth/pictures/x');
  await user.click(screen.getByRole('button', { name: 'Take it away' }));
  await waitFor(() => expect(requests[0]).toMatchObject({ method: 'DELETE', path }));
});

test('a picture that cannot be read gives way to the first letter', () => {
  const { container } = renderWithHost(<PersonMark name="Ann" picture="/gone" />);
  const image = container.querySelector('img');
  expect(image?.getAttribute('src')).toBe('/gone');
  if (image) fireEvent.error(image);
  expect(container.textContent).toBe('A');
});
