import type { Dialect } from '../../dialects/dialect.ts';

/** A dialect that records which of its functions were called. */
export interface ObservedDialect {
  readonly dialect: Dialect;
  /** Whether it was called: `statements.select`, `schema.addColumn`. */
  isCalled(name: string): boolean;
  /** The functions of these topics that were never called, so that no statement shows their output. */
  uncalled(topics: readonly (keyof Dialect)[]): readonly string[];
}

/** Records which of its functions are called from outside, including those of its schema changers. */
export function observeDialect(dialect: Dialect): ObservedDialect {
  const called = new Set<string>();

  function observed<Part extends object>(part: Part, name: string): Part {
    return new Proxy(part, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof key !== 'string' || typeof value !== 'function') return value;
        return (...given: readonly unknown[]): unknown => {
          called.add(`${name}.${key}`);
          const made: unknown = Reflect.apply(value, target, given);
          return key === 'createChanger' ? observed(made as object, name) : made;
        };
      },
    });
  }

  return {
    dialect: {
      ...dialect,
      ...Object.fromEntries(
        Object.entries(dialect).map(([name, part]: [string, unknown]) => [
          name,
          typeof part === 'object' && part !== null ? observed(part, name) : part,
        ]),
      ),
    },
    isCalled: (name) => called.has(name),
    uncalled: (topics) =>
      topics
        .flatMap((topic) => functionsOf(dialect[topic]).map((name) => `${topic}.${name}`))
        .filter((name) => !called.has(name)),
  };
}

function functionsOf(part: unknown): readonly string[] {
  return typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
        typeof value === 'function' ? [name] : [],
      );
}
