import type { BrokenPlugin } from './broken-plugin.ts';

/** A web half with the given source. */
function source(id: string, does: string, web: string, says: RegExp): BrokenPlugin {
  return { id, name: id, does, web, state: 'enabled', says };
}

/** Fails in `setup`, and leaves nothing. */
function failing(id: string, does: string, setup: string, says: RegExp): BrokenPlugin {
  return source(id, does, `export default { async setup(ctx) { ${setup} } };`, says);
}

/** Fails where it draws in the top bar. */
function drawing(id: string, does: string, component: string, says: RegExp): BrokenPlugin {
  const imports = "import { createElement, useLayoutEffect, useState } from 'react';";
  const item = `{ id: '${id}', slot: 'top-bar-end', Component }`;
  const plugin = `export default { setup(ctx) { ctx.register('shellItems', ${item}); } };`;
  return {
    ...source(id, does, `${imports} function Component() { ${component} } ${plugin}`, says),
    manifest: { contributes: { shellItems: [{ id }] } },
  };
}

const twin = "{ id: 'twin', label: 'Twin', run() {} }";

export const badPages: readonly BrokenPlugin[] = [
  source(
    'page-throws',
    'throws when it is loaded',
    "throw new Error('no paint'); export default 1;",
    /no paint/,
  ),
  source('page-syntax', 'is no JavaScript', 'export default {{', /Unexpected token/),
  source('page-nothing', 'exports nothing', 'export const plugin = 1;', /no default export/),
  source('page-number', 'exports a number', 'export default 7;', /no default export/),
  source(
    'page-lost-file',
    'imports a file that is not there',
    "import './gone.js'; export default { setup() {} };",
    /Failed to fetch.*page-lost-file/,
  ),
  source(
    'page-lost-package',
    'imports a package that is not there',
    "import 'left-pad-9'; export default { setup() {} };",
    /left-pad-9/,
  ),
  source(
    'page-lost-name',
    'imports a name that the SDK does not have',
    "import { defineWebPlugn } from '@trellis/sdk/web'; export default defineWebPlugn({ setup() {} });",
    /defineWebPlugn/,
  ),
  failing('page-setup-throws', 'throws in setup', "throw new Error('no brush');", /setup.*no brush/),
  failing('page-setup-text', 'throws a text in setup', "throw 'no canvas';", /no canvas/),
  failing(
    'page-setup-hangs',
    'hangs in setup',
    'await new Promise(() => undefined);',
    /setup.*\d+ ?(?:ms|s)\b/,
  ),
  failing(
    'page-odd-registry',
    'misspells a registry',
    "ctx.register('comands', { id: 'x' });",
    /comands.*did you mean 'commands'/,
  ),
  failing(
    'page-odd-hook',
    'misspells a hook',
    "ctx.tap('sesion.didBegin', () => undefined);",
    /sesion\.didBegin/,
  ),
  failing(
    'page-no-id',
    'registers what has no id',
    "ctx.register('commands', { label: 'x', run() {} });",
    /'id'/,
  ),
  failing(
    'page-twin',
    'registers an id twice',
    `ctx.register('commands', ${twin}); ctx.register('commands', ${twin});`,
    /twin/,
  ),
  failing(
    'page-taken',
    'registers an id of the product',
    "ctx.register('columnTypes', { ...ctx.registry('columnTypes').get('SingleLineText') });",
    /already registered/,
  ),
  failing(
    'page-late',
    'leaves an error behind its setup',
    "setTimeout(() => Promise.reject(new Error('too late for paint')), 50);",
    /too late for paint/,
  ),
  failing(
    'page-timer',
    'throws in a timer again and again',
    "setInterval(() => { throw new Error('the clock is stuck'); }, 200);",
    /the clock is stuck/,
  ),
  drawing('page-draw-throws', 'throws when it is drawn', "throw new Error('no colour');", /no colour/),
  drawing('page-draw-object', 'draws what cannot be drawn', 'return { a: 1 };', /object|31/),
  drawing(
    'page-draw-loops',
    'draws itself without end',
    "const [count, setCount] = useState(0); setCount(count + 1); return 'x';",
    /re-render|301/,
  ),
  drawing(
    'page-effect-loops',
    'changes itself after each drawing',
    "const [count, setCount] = useState(0); useLayoutEffect(() => setCount(count + 1)); return 'x';",
    /update depth|185/,
  ),
  drawing(
    'page-hooks',
    'asks for hooks by turns',
    'const [at, next] = useState(0); useLayoutEffect(() => next(1), []); if (at === 1) useState(0); return null;',
    /hook|310/i,
  ),
  {
    ...source(
      'page-no-component',
      'has an item that nothing draws',
      "export default { setup(ctx) { ctx.register('shellItems', { id: 'page-no-component', slot: 'top-bar-end' }); } };",
      /page-no-component: .*130/,
    ),
    manifest: { contributes: { shellItems: [{ id: 'page-no-component' }] } },
  },
];
