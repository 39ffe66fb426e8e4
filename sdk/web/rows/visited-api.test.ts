import { expect, test } from '@jest/globals';
import { ApiError, type ApiClient, type ApiRequest, type ApiResponse } from '../api.ts';
import { VisitedApi } from './visited-api.ts';

/** A server whose rows have a mark, which asks for a password. */
function aServer() {
  const of = { password: 'one', names: ['Ada'] };
  const asked: (Readonly<Record<string, string>> | undefined)[] = [];
  const send = async <T>({ headers }: ApiRequest): Promise<ApiResponse<T>> => {
    asked.push(headers);
    if (headers?.['xc-password'] !== of.password)
      throw new ApiError(403, 'Wrong', 'INVALID_SHARED_VIEW_PASSWORD');
    const etag = of.names.join();
    if (headers['if-none-match'] === etag) throw new ApiError(304, '');
    return { data: of.names as T, status: 200, headers: { etag } };
  };
  const api: ApiClient = {
    send,
    request: async <T>(request: ApiRequest) => (await send<T>(request)).data,
    download: async (request) => void (await send(request)),
  };
  return { of, asked, api };
}

test('an answer is asked for again by its mark, and given again where it is still the same', async () => {
  const { of, asked, api } = aServer();
  const visited = new VisitedApi(api, { password: 'one' });
  const read = (offset: number) => visited.request({ path: '/rows', query: { offset } });
  const first = await read(0);
  expect(await read(0)).toBe(first);
  of.names = ['Grace'];
  expect(await read(0)).toEqual(['Grace']);
  expect(asked.map((headers) => headers?.['if-none-match'])).toEqual([undefined, 'Ada', 'Ada']);
  // Another question has another answer, and so has whoever wants to be sure.
  await read(100);
  visited.forget();
  await read(0);
  expect(asked.slice(3).map((headers) => headers?.['if-none-match'])).toEqual([undefined, undefined]);
});

test('what is refused for its password waits for the one of now, and is sent again with it', async () => {
  const { of, api } = aServer();
  const refused: unknown[] = [];
  let goOn = (_isOpen: boolean): void => {};
  const onRefused = (error: unknown) => {
    refused.push(error);
    return new Promise<boolean>((resolve) => {
      goOn = resolve;
    });
  };
  const visited = new VisitedApi(api, { password: 'one', onRefused });
  of.password = 'two';
  const rows = visited.request({ path: '/rows' });
  while (refused.length === 0) await Promise.resolve();
  visited.update({ password: 'two', onRefused });
  goOn(true);
  expect(await rows).toEqual(['Ada']);
  of.password = 'three';
  const given = visited.request({ path: '/rows' });
  while (refused.length === 1) await Promise.resolve();
  goOn(false);
  await expect(given).rejects.toMatchObject({ code: 'INVALID_SHARED_VIEW_PASSWORD' });
});

test('what was on its way while the password was given is sent again without asking for it once more', async () => {
  const { of, api } = aServer();
  of.password = 'two';
  const onRefused = () => Promise.reject(new Error('It was asked for once more'));
  const visited = new VisitedApi(api, { password: 'one', onRefused });
  const rows = visited.request({ path: '/rows' });
  visited.update({ password: 'two', onRefused });
  expect(await rows).toEqual(['Ada']);
});
