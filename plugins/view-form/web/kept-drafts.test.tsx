import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { draftPlace, forgetOldDrafts, keepDraft, readDraft, type Draft } from './kept-drafts.ts';

const day = 24 * 3600 * 1000;
const key = draftPlace('u_1', 'member');
const draft = (name: unknown) => ({ values: { cl_1: name }, since: { cl_1: Date.UTC(2026, 0, 1) } }) as Draft;
const none = { values: {}, since: {} };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => void jest.useRealTimers());

test('a draft is there for a week, and then neither shown nor kept', () => {
  keepDraft(key, draft('Ada'));
  jest.setSystemTime(Date.UTC(2026, 0, 1) + 6 * day);
  forgetOldDrafts();
  expect(readDraft(key)).toEqual(expect.objectContaining(draft('Ada')));
  jest.setSystemTime(Date.UTC(2026, 0, 1) + 8 * day);
  expect(readDraft(key)).toEqual(none);
  forgetOldDrafts();
  expect(localStorage).toHaveLength(0);
});

test('a browser keeps the newest drafts, and leaves alone what others keep', () => {
  localStorage.setItem('other', 'kept');
  for (let form = 1; form <= 25; form += 1) {
    jest.advanceTimersByTime(1000);
    keepDraft(draftPlace(`u_${form}`, 'member'), draft(form));
  }
  forgetOldDrafts();
  expect(localStorage).toHaveLength(21);
  expect(readDraft(draftPlace('u_5', 'member'))).toEqual(none);
  expect(readDraft(draftPlace('u_6', 'member'))).toEqual(expect.objectContaining(draft(6)));
  expect(localStorage.getItem('other')).toBe('kept');
});

test('what is no draft is none, and goes', () => {
  for (const [name, text] of [
    ['a', '{'],
    ['b', '"text"'],
    ['c', '{"cl_1":"of former times"}'],
  ] as const) {
    localStorage.setItem(draftPlace(name, 'member')?.key ?? '', text);
    expect(readDraft(draftPlace(name, 'member'))).toEqual(none);
  }
  forgetOldDrafts();
  expect(localStorage).toHaveLength(0);
});

test('a draft that was sent is forgotten at once', () => {
  keepDraft(key, draft('Ada'));
  keepDraft(key, undefined);
  expect(localStorage).toHaveLength(0);
});

test('what a stranger answers is kept for their tab, and not for whoever opens the link next in that browser', () => {
  const place = draftPlace('u_1', 'stranger');
  keepDraft(place, draft('Ada'));
  expect(readDraft(place)).toEqual(expect.objectContaining(draft('Ada')));
  expect(localStorage).toHaveLength(0);
});
