import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { HeldPlace } from './held-place.ts';
import type { RequestPlaces } from './request-places.ts';

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
