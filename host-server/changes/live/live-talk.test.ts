import { afterEach, expect, test } from '@jest/globals';
import type { AccessScope, AccessService, Bus, LiveTopic, Principal } from '@trellis/sdk/server';
import type { LiveSaid, LiveSaying } from '@trellis/sdk/shared';
import type { RegistryView } from '@trellis/core';
import { LiveTalk, type TalkingPage } from './live-talk.ts';

const tableId = 'md_00000000000000';
const topic = 'presence';
const noLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** Scopes that are given only when the test says so, as those that must be read from the database. */
function heldScopes() {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const scope = { may: () => true, inTable: () => ({ may: () => true }) } as unknown as AccessScope;
  return {
    hold: () => void (isHeld = true),
    async release() {
      isHeld = false;
      for (const go of waiting.splice(0)) go();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
    access: {
      locate: () => 'p',
      scopeFor: () =>
        isHeld ? new Promise<AccessScope>((resolve) => waiting.push(() => resolve(scope))) : scope,
    } as unknown as AccessService,
  };
}

function createTalk() {
  const scopes = heldScopes();
  const pages: TalkingPage[] = [];
  let hear: (message: never, origin: never) => void = () => undefined;
  const bus = {
    subscribe: (_: string, { message }: { message: typeof hear }) => void (hear = message),
    publish: (_: string, message: never) => hear(message, 'here' as never),
  } as unknown as Bus;
  const talk = new LiveTalk({
    access: scopes.access,
    bus,
    topics: {
      get: () => ({ id: topic, read: (said) => said, tell: (said) => said }) as LiveTopic,
    } as unknown as RegistryView<LiveTopic>,
    logger: noLogger as never,
    pagesOf: () => pages,
  });
  const page = (id: string) => {
    const heard: (LiveSaid | null)[] = [];
    const of: TalkingPage = {
      id,
      principal: { id, email: `${id}@example.com` } as unknown as Principal,
      send: ({ said }: LiveSaying) => void heard.push(said),
    };
    pages.push(of);
    return { of, heard };
  };
  return { talk, scopes, page };
}

let talk: LiveTalk | undefined;
afterEach(() => talk?.dispose());

test('a page that is gone is not shown again by what was still on its way to a listener', async () => {
  const made = createTalk();
  ({ talk } = made);
  const [anns, bobs] = [made.page('ann'), made.page('bob')];
  await talk.say(anns.of, { tableId, topic, said: { row: '1' } });
  await made.scopes.release();
  expect(bobs.heard).toEqual([{ row: '1' }]);
  const late = made.page('late');
  made.scopes.hold();
  void talk.welcome(late.of, tableId);
  talk.leave('ann');
  await made.scopes.release();
  expect(bobs.heard.at(-1)).toBeNull();
  expect(late.heard).toEqual([null]);
});

test('a page that takes back what it has just said is not heard with it afterwards', async () => {
  const made = createTalk();
  ({ talk } = made);
  const [anns, bobs] = [made.page('ann'), made.page('bob')];
  made.scopes.hold();
  const saying = talk.say(anns.of, { tableId, topic, said: { row: '1' } });
  const taking = talk.say(anns.of, { tableId, topic, said: null });
  // Let the questions come before they are answered.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await made.scopes.release();
  await Promise.all([saying, taking]);
  await made.scopes.release();
  expect(bobs.heard.filter((said) => said !== null)).toEqual([]);
});
