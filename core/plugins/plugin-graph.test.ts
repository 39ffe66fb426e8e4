import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeGraphProblem, PluginGraph } from './plugin-graph.ts';
import type { PluginManifest } from './plugin-manifest.ts';

type Links = Pick<PluginManifest, 'dependencies' | 'optionalDependencies' | 'conflicts'>;

function plugin(id: string, links: Links = {}, version = '1.0.0'): PluginManifest {
  return { id, name: id, version, category: 'app', engines: { trellis: '*' }, sdk: 1, ...links };
}

const needs = (...ids: string[]): Links => ({
  dependencies: Object.fromEntries(ids.map((id) => [id, '^1.0.0'])),
});

describe('the order of plugins', () => {
  test('puts dependencies first, present optional ones as well, and is otherwise by id', () => {
    const graph = new PluginGraph([
      plugin('d'),
      plugin('c', needs('b')),
      plugin('a', { optionalDependencies: { c: '*', nowhere: '*' } }),
      plugin('b'),
    ]);
    expect(graph.order).toEqual(['b', 'c', 'a', 'd']);
    expect(graph.missing).toEqual([]);
    expect(graph.problemsOf('a')).toEqual([]);
  });

  test('leaves out what is in or behind a circle and names the whole path', () => {
    const graph = new PluginGraph([
      plugin('a', needs('b')),
      plugin('b', needs('c')),
      plugin('c', needs('a')),
      plugin('behind', needs('a')),
      plugin('free'),
    ]);
    expect(graph.order).toEqual(['free']);
    expect(graph.cycles.map((cycle) => cycle.message)).toEqual([
      'Plugins need each other in a circle: a -> b -> c -> a; drop one of these dependencies.',
    ]);
    expect(graph.problemsOf('behind').map((problem) => problem.kind)).toEqual(['cycle']);
    expect(graph.problemsOf('free')).toEqual([]);
  });

  test('names a plugin that needs itself', () => {
    expect(new PluginGraph([plugin('a', needs('a'))]).cycles[0]?.path).toEqual(['a', 'a']);
  });

  test('survives a chain of ten thousand plugins', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `p${String(index).padStart(5, '0')}`);
    const graph = new PluginGraph(
      ids.map((id, index) => plugin(id, needs(...ids.slice(index + 1, index + 2)))),
    );
    expect(graph.order).toEqual([...ids].reverse());
  });
});

describe('what a plugin needs', () => {
  const graph = new PluginGraph([
    plugin('base', {}, '2.1.0'),
    plugin('middle', { dependencies: { base: '^1.0.0', ghost: '>=3' } }),
    plugin('top', needs('middle')),
    plugin('picky', { optionalDependencies: { base: '^9.0.0' } }),
  ]);

  test('is reported when it is missing or does not fit, also further down', () => {
    expect(graph.missing).toEqual([{ kind: 'missing', plugin: 'middle', dependency: 'ghost', range: '>=3' }]);
    expect(graph.problemsOf('top').map(describeGraphProblem)).toEqual([
      "'middle' needs 'ghost' >=3, which is not installed; install it.",
      "'middle' needs 'base' ^1.0.0, but 2.1.0 is installed; install versions that fit each other.",
    ]);
  });

  test('must fit as well when it is optional and present', () => {
    expect(graph.problemsOf('picky').map((problem) => problem.kind)).toEqual(['incompatible']);
  });

  test('and who needs it are found one step or all the way', () => {
    expect(graph.dependentsOf('base')).toEqual(['middle']);
    expect(graph.dependentsOf('base', { transitive: true })).toEqual(['middle', 'top']);
    expect(graph.dependenciesOf('top', { transitive: true })).toEqual(['base', 'ghost', 'middle']);
    expect(graph.dependentsOf('nowhere')).toEqual([]);
  });
});

test('conflicts are seen from both sides and only within their range', () => {
  const graph = new PluginGraph([
    plugin('a', { conflicts: { b: '^1.0.0', c: '^5.0.0' } }),
    plugin('b'),
    plugin('c'),
  ]);
  const conflict = { plugin: 'a', with: 'b', range: '^1.0.0', found: '1.0.0' };
  expect(graph.conflicts).toEqual([conflict]);
  expect(graph.conflictsOf('b')).toEqual([conflict]);
  expect(graph.conflictsOf('c')).toEqual([]);
});

test('in any graph, either the order respects every dependency or a circle is named', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const edges = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), {
    maxLength: 14,
    selector: ([from, to]) => `${from}${to}`,
  });
  fc.assert(
    fc.property(edges, fc.boolean(), (links, optional) => {
      const manifests = ids.map((id) => {
        const targets = needs(...links.filter(([from]) => from === id).map(([, to]) => to));
        return plugin(id, optional ? { optionalDependencies: targets.dependencies } : targets);
      });
      const graph = new PluginGraph(manifests);
      for (const [from, to] of links) {
        if (!graph.order.includes(from)) continue;
        expect(graph.order.indexOf(to)).toBeLessThan(graph.order.indexOf(from));
        expect(graph.order).toContain(to);
      }
      for (const id of ids) {
        expect(graph.problemsOf(id).some((problem) => problem.kind === 'cycle')).toBe(
          !graph.order.includes(id),
        );
      }
      for (const { path } of graph.cycles) {
        expect(path.at(0)).toBe(path.at(-1));
        path.slice(1).forEach((to, index) => {
          expect(links).toContainEqual([path[index], to]);
        });
      }
    }),
    { numRuns: 500 },
  );
});
