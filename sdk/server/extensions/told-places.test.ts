import { expect, test } from '@jest/globals';
import { TrellisError } from '../../shared/index.ts';
import { ToldPlaces } from './told-places.ts';

test('a place that refuses keeps no other from being told, and nobody hears of the same again', async () => {
  const told = new ToldPlaces();
  const heard: string[] = [];
  let isOpen = false;
  const send = async (place: string) => {
    if (place === 'closed' && !isOpen) throw new Error('No such number.');
    heard.push(place);
  };
  const places = ['one', 'closed', 'two', 'one'];
  for (let turn = 0; turn < 3; turn += 1)
    await expect(told.tell('ev_1', places, send)).rejects.toThrow('No such number.');
  expect(heard).toEqual(['one', 'two']);
  isOpen = true;
  await told.tell('ev_1', places, send);
  expect(heard).toEqual(['one', 'two', 'closed']);
  await told.tell('ev_2', places, send);
  expect(heard).toHaveLength(6);
});

test('what has no id is told everywhere each time', async () => {
  const told = new ToldPlaces();
  let count = 0;
  const send = async () => {
    count += 1;
  };
  await told.tell(undefined, ['one'], send);
  await told.tell(undefined, ['one'], send);
  expect(count).toBe(2);
});

test('a place that refused for good does not end what another one may still take', async () => {
  const told = new ToldPlaces();
  const heard: string[] = [];
  let isAway = true;
  const send = async (place: string) => {
    if (place === 'gone')
      throw new TrellisError('NO_PLACE', 'No such place.', { params: { final: 'message' } });
    if (isAway) throw new Error('Busy.');
    heard.push(place);
  };
  await expect(told.tell('ev_1', ['gone', 'away'], send)).rejects.toThrow('Busy.');
  isAway = false;
  await expect(told.tell('ev_1', ['gone', 'away'], send)).rejects.toThrow('No such place.');
  expect(heard).toEqual(['away']);
});

test('places that never answer keep no other from being told, however few there is time for', async () => {
  const told = new ToldPlaces();
  const heard: string[] = [];
  let ending = new AbortController();
  const send = async (place: string) => {
    ending.signal.throwIfAborted();
    if (place.startsWith('dead'))
      await new Promise((_, reject) =>
        ending.signal.addEventListener('abort', () => reject(ending.signal.reason)),
      );
    heard.push(place);
  };
  const places = ['dead 1', 'dead 2', 'dead 3', 'dead 4', 'dead 5', 'one', 'two'];
  const tell = async (id: string): Promise<void> => {
    ending = new AbortController();
    const telling = told.tell(id, places, send);
    await new Promise(setImmediate);
    ending.abort(new Error('No answer in time.'));
    await expect(telling).rejects.toThrow('No answer in time.');
  };
  await told.tell('ev_0', ['one'], send);
  // Nobody knows yet which are dead.
  await tell('ev_1');
  await tell('ev_1');
  expect(heard.toSorted()).toEqual(['one', 'one', 'two']);
  heard.length = 0;
  await tell('ev_2');
  expect(heard.toSorted()).toEqual(['one', 'two']);
});
