import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { HeldPlace } from './held-place.ts';
import type { RequestPlaces } from './request-places.ts';

test('a body that is read as it arrives holds a place of bodies, and the one of work again once it has come', async () => {
  const seen: string[] = [];
  const place = (name: string) => () => {
    seen.push(`+${name}`);
    let isLeft = false;
    return () => {
      if (!isLeft) seen.push(`-${name}`);
      isLeft = true;
    };
  };
  const places = {
    enter: place('work'),
    enterBody: async () => place('body')(),
  } as unknown as RequestPlaces;
  const held = new HeldPlace(places, { key: 'us_1', isStranger: false }, undefined);
  await held.enter();
  const arrived = await held.whileArriving({} as IncomingMessage);
  expect(seen.splice(0)).toEqual(['+work', '-work', '+body']);
  await arrived();
  expect(seen.splice(0)).toEqual(['-body', '+work']);
  held.leave();
  // Nobody read the rest of it.
  await arrived();
  expect(seen).toEqual(['-work', '+work', '-work']);
});

test('what was read of a body is given up where there is no place left to work on it', async () => {
  let entries = 0;
  const places = {
    enter() {
      entries += 1;
      if (entries > 1) throw new Error('busy');
      return () => undefined;
    },
    enterBody: async () => () => undefined,
  } as unknown as RequestPlaces;
  const place = new HeldPlace(places, { key: '127.0.0.1', isStranger: true }, undefined);
  await place.enter();
  const dropped: string[] = [];
  const reading = place.whileReading(
    {} as IncomingMessage,
    async () => 'files',
    async (read) => void dropped.push(read),
  );
  await expect(reading).rejects.toThrow('busy');
  expect(dropped).toEqual(['files']);
});
