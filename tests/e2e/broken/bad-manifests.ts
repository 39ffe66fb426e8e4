import { misfit, half, type BrokenPlugin } from './broken-plugin.ts';

/** A manifest that is whatever text stands there. */
function text(id: string, does: string, manifest: string, says: RegExp): BrokenPlugin {
  return {
    id,
    name: id,
    does,
    server: half(''),
    files: { '1.0.0/plugin.json': manifest },
    state: 'incompatible',
    says,
  };
}

export const badManifests: readonly BrokenPlugin[] = [
  text(
    'json-cut',
    'has half a manifest',
    '{\n  "id": "json-cut",\n  "name":',
    /json-cut\/1\.0\.0\/plugin\.json:3:\d+/,
  ),
  text('json-typo', 'has a manifest with a comma too many', '{\n  "id": "json-typo",\n}', /plugin\.json:3:1/),
  text('json-list', 'has a list as its manifest', '[]', /must be an object/),
  text('json-null', 'has null as its manifest', 'null', /must be an object/),
  text('json-empty', 'has an empty manifest', '', /plugin\.json:1:1.*no JSON/),
  misfit('no-name', 'has no name', { name: undefined }, /'name'/),
  misfit('name-number', 'has a number as its name', { name: 7 }, /\/?name.*must be/),
  misfit('misspelt-key', 'misspells a key', { categorie: 'app' }, /'categorie'.*did you mean 'category'/),
  misfit('other-id', 'has another id than its folder', { id: 'someone-else' }, /says 'someone-else'/),
  misfit(
    'other-version',
    'has another version than its folder',
    { version: '2.0.0' },
    /says version 2\.0\.0/,
  ),
  misfit('no-version', 'has no version that counts', { version: 'newest' }, /semantic version/),
  misfit(
    'no-range',
    'asks for no range of versions',
    { engines: { trellis: 'latest please' } },
    /version range/,
  ),
  misfit('for-later', 'is for a later product', { engines: { trellis: '>=99' } }, />=99/),
  misfit('other-contract', 'is for another contract', { sdk: 7 }, /contract 7/),
  misfit(
    'needs-absent',
    'needs a plugin that is not there',
    { dependencies: { 'not-there': '*' } },
    /not-there/,
  ),
  misfit('needs-newer', 'needs a newer one', { dependencies: { 'view-grid': '>=99' } }, /view-grid.*>=99/),
  misfit('needs-broken', 'needs one that cannot run', { dependencies: { 'for-later': '*' } }, /for-later/),
  misfit('hen', 'needs one that needs it', { dependencies: { egg: '*' } }, /in a circle/),
  misfit('egg', 'is needed by what it needs', { dependencies: { hen: '*' } }, /in a circle/),
  misfit(
    'narcissus',
    'needs itself',
    { dependencies: { narcissus: '*' } },
    /must not name the plugin itself/,
  ),
  misfit(
    'odd-range',
    'needs another one in no version',
    { dependencies: { 'view-grid': 'x.y.z!' } },
    /must be a version range/,
  ),
  misfit(
    'two-minds',
    'needs what it cannot run beside',
    { dependencies: { 'view-grid': '*' }, conflicts: { 'view-grid': '*' } },
    /must not be named here and under 'dependencies'/,
  ),
  {
    ...misfit(
      'enemy',
      'cannot run beside a part of the product',
      { conflicts: { 'view-grid': '*' } },
      /'view-grid'/,
    ),
    state: 'failed',
  },
  misfit(
    'bad-settings',
    'has settings that mean nothing',
    { settings: { type: 'object', propertys: {} } },
    /propertys/,
  ),
  misfit(
    'open-secret',
    'would give a secret to the page',
    {
      settings: { type: 'object', properties: { key: { type: 'string', format: 'secret', 'x-page': true } } },
    },
    /x-page|secret/,
  ),
  misfit(
    'promises-twice',
    'promises one thing twice',
    { contributes: { jobs: [{ id: 'a' }, { id: 'a' }] } },
    /repeats the id 'a'/,
  ),
  misfit('climbs', 'has its icon elsewhere', { icon: '../../../etc/passwd' }, /icon/),
  misfit('file-home', 'has a file as its home page', { homepage: 'file:///etc/passwd' }, /homepage/),
  misfit('epic', 'describes itself without end', { description: 'x'.repeat(2001) }, /description/),
  {
    id: 'not-built',
    name: 'not-built',
    does: 'was not built',
    state: 'incompatible',
    says: /nothing to run/,
  },
];
