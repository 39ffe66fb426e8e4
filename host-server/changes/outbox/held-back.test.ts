import { expect, test } from '@jest/globals';
import { HeldBack } from './held-back.ts';

const here = { tableId: 't', baseId: 'b' };
const beside = { tableId: 'u', baseId: 'b' };

test('events that were under way together when their base went away count as one failure', () => {
  let now = 0;
  const held = new HeldBack(() => now);
  for (let event = 0; event < 8; event += 1) expect(held.mayTry(here)).toBe(true);
  for (let event = 0; event < 8; event += 1) held.isAway(here);
  expect(held.mayTry(here)).toBe(false);
  expect(held.mayTry(beside)).toBe(false);
  now = 5000;
  expect(held.mayTry(here)).toBe(true);
  expect(held.mayTry(beside)).toBe(false);
  held.isAway(here);
  now = 14_999;
  expect(held.mayTry(here)).toBe(false);
  now = 15_000;
  expect(held.mayTry(here)).toBe(true);
  held.didAnswer(here);
  expect(held.isHeld(here)).toBe(false);
});

test('a table of which eight events fail one after the other is held back alone, until one goes through', () => {
  let now = 0;
  const held = new HeldBack(() => now);
  const fail = (event: number) => held.didFail({ ...here, id: `e${event}` });
  for (let event = 0; event < 7; event += 1) fail(event);
  held.didAnswer(here);
  for (let event = 0; event < 7; event += 1) fail(event);
  // The same again and again says nothing of the others.
  for (let turn = 0; turn < 20; turn += 1) fail(0);
  expect(held.mayTry(here)).toBe(true);
  fail(7);
  held.learn(here);
  held.learn(beside);
  expect([held.tables(), held.mayTry(here), held.mayTry(beside)]).toEqual([['t'], false, true]);
  now = 5000;
  expect(held.mayTry(here)).toBe(true);
  expect(held.mayTry(here)).toBe(false);
  fail(0);
  now = 14_999;
  expect(held.mayTry(here)).toBe(false);
  now = 15_000;
  expect(held.mayTry(here)).toBe(true);
  held.didAnswer(here);
  expect([held.tables(), held.mayTry(here), held.mayTry(here)]).toEqual([[], true, true]);
});
