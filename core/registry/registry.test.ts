import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ErrorBudget } from '../errors/error-budget.ts';
import type { Disposable } from '../lifecycle/disposable.ts';
import { Registries } from './registries.ts';
import { Registry } from './registry.ts';

interface Item {
  readonly id: string;
  readonly order?: number;
}

const create = (validate?: (item: Item) => void) =>
  new Registry<Item>({ id: 'columnTypes', absentPolicy: 'read raw', ...(validate && { validate }) });

describe('a registry', () => {
  test('lists items by order, then by registration, with their owners', () => {
    const registry = create();
    registry.register({ id: 'b' }, 'one');
    registry.register({ id: 'last', order: 5 }, 'two');
    registry.register({ id: 'a' }, 'two');
    registry.register({ id: 'first', order: -1 }, 'one');
    expect(registry.list().map((item) => item.id)).toEqual(['first', 'b', 'a', 'last']);
    expect(registry.entries().map((entry) => entry.owner)).toEqual(['one', 'one', 'two', 'two']);
    expect(registry.ownerOf('a')).toBe('two');
    expect(registry.get('a')).toEqual({ id: 'a' });
    expect(registry.get('none')).toBeUndefined();
  });

  test('refuses an id twice and names both owners and the way out', () => {
    const registry = create();
    registry.register({ id: 'Rating' }, 'column-rating');
    expect(() => registry.register({ id: 'Rating' }, 'stars')).toThrow(
      "'Rating' of 'stars' is already registered in 'columnTypes' by 'column-rating'; rename it or disable one of the two.",
    );
  });

  test('says so where one plugin registers an id twice', () => {
    const registry = create();
    registry.register({ id: 'Rating' }, 'stars');
    expect(() => registry.register({ id: 'Rating' }, 'stars')).toThrow(
      "'stars' registers 'Rating' in 'columnTypes' twice; rename one of the two, or leave it out.",
    );
  });

  test('hands out the same list until something changes', async () => {
    const registry = create();
    const item = registry.register({ id: 'a' }, 'one');
    const before = registry.list();
    expect(registry.list()).toBe(before);
    expect(registry.entries()).toBe(registry.entries());
    await item.dispose();
    expect(registry.list()).not.toBe(before);
    expect(before).toHaveLength(1);
  });

  test('tells of every change, also when a listener throws', async () => {
    const registry = create();
    const listener = jest.fn<() => void>();
    registry.onDidChange(listener);
    const item = registry.register({ id: 'a' }, 'one');
    await item.dispose();
    await item.dispose();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  test('adds nothing when its validation refuses the item', () => {
    const registry = create((item) => {
      if (item.id === 'b') throw new Error('an id must not be b');
    });
    expect(() => registry.register({ id: 'b' }, 'one')).toThrow('an id must not be b');
    expect(registry.size).toBe(0);
  });

  test.each([undefined, 'a', {}, { id: '' }, { id: 7 }])('refuses what has no id: %j', (item) => {
    const registry = create();
    expect(() => registry.register(item as never, 'one')).toThrow("'id' is missing; write a text");
  });

  test('does not take away the item that came after under the same id', async () => {
    const registry = create();
    const first = registry.register({ id: 'a' }, 'one');
    await first.dispose();
    registry.register({ id: 'a' }, 'two');
    await first.dispose();
    expect(registry.ownerOf('a')).toBe('two');
  });

  test('hides an item that fails too often while its id stays taken, and shows it again', async () => {
    const registry = create();
    const budget = new ErrorBudget({ limit: 2 });
    registry.register({ id: 'a' }, 'one');
    registry.register({ id: 'b' }, 'one');
    budget.charge(registry.subject('a'), new Error('x'));
    budget.charge(registry.subject('a'), new Error('x'));
    expect(budget.suspendedOf('one')).toEqual(["'a' in columnTypes"]);
    expect(registry.get('a')).toBeUndefined();
    expect(registry.list()).toEqual([{ id: 'b' }]);
    expect(() => registry.register({ id: 'a' }, 'two')).toThrow(/'one'/);
    await budget.resume('one');
    expect(registry.list()).toHaveLength(2);
    expect(() => registry.subject('none')).toThrow(/'none' is not registered/);
  });

  test('equals a plain map after any sequence of registrations and disposals', async () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      order: fc.integer({ min: -1, max: 1 }),
      owner: fc.constantFrom('one', 'two'),
      dispose: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const registry = create();
        const model = new Map<string, { order: number; owner: string; undo: Disposable }>();
        for (const { id, order, owner, dispose } of steps) {
          const known = model.get(id);
          if (dispose) {
            await known?.undo.dispose();
            model.delete(id);
          } else if (known === undefined) {
            model.set(id, { order, owner, undo: registry.register({ id, order }, owner) });
          } else {
            expect(() => registry.register({ id, order }, owner)).toThrow(known.owner);
          }
          const expected = [...model].sort(([, left], [, right]) => left.order - right.order);
          expect(registry.list().map((item) => item.id)).toEqual(expected.map(([key]) => key));
          expect(registry.entries().map((entry) => entry.owner)).toEqual(
            expected.map(([, entry]) => entry.owner),
          );
        }
        expect(registry.size).toBe(model.size);
      }),
    );
  });
});

describe('the registries of a host', () => {
  interface Catalogue {
    columnTypes: Item & { storage: string };
    commands: Item & { run(): void };
  }

  test('are found by id with the type of their items', () => {
    const registries = new Registries<Catalogue>();
    const types = new Registry<Catalogue['columnTypes']>({ id: 'columnTypes', absentPolicy: 'x' });
    registries.define(types);
    expect(registries.get('columnTypes')).toBe(types);
    expect(registries.ids()).toEqual(['columnTypes']);
    expect(() => registries.get('commands')).toThrow(/no registry 'commands'.*columnTypes/);
  });

  test('are defined once each', async () => {
    const registries = new Registries();
    const first = registries.define(create());
    expect(() => registries.define(create())).toThrow(/'columnTypes' is already defined/);
    await first.dispose();
    expect(registries.has('columnTypes')).toBe(false);
  });
});
