import { expect, jest, test } from '@jest/globals';
import type { ProjectEntity } from '@trellis/sdk/shared';
import type { ApiRequest, HostActions, MenuContext } from '@trellis/sdk/web';
import { strictNames } from './strict-names.ts';

const contextOf = (meta: ProjectEntity['meta']) =>
  ({ project: { id: 'p_1', meta } as ProjectEntity }) as MenuContext;

/** The entry that is offered, and what pressing it sends. */
async function press(meta: ProjectEntity['meta']) {
  const context = contextOf(meta);
  const offered = strictNames.filter(({ when }) => when?.(context) !== false);
  const requests: ApiRequest[] = [];
  const actions = {
    api: { request: (request: ApiRequest) => Promise.resolve(void requests.push(request)) },
    invalidate: jest.fn(),
    toast: jest.fn(),
    t: (text: string) => text,
  } as unknown as HostActions;
  await offered[0]?.run(context, actions);
  return { labels: offered.map(({ label }) => label), body: requests[0]?.body };
}

test('one of two entries says which characters names take, and keeps what else is known of the project', async () => {
  expect(await press({ colour: 'red' })).toEqual({
    labels: ['Keep names simple'],
    body: { meta: { colour: 'red', strictNames: true } },
  });
  expect(await press({ colour: 'red', strictNames: true })).toEqual({
    labels: ['Allow any names'],
    body: { meta: { colour: 'red', strictNames: false } },
  });
});
