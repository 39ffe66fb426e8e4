import type { Config } from 'jest';

/** Jest's settings for tests of the server's side. @internal */
export declare const inNode: Config;

/** Jest's settings for tests of the page's side. @internal */
export declare const inPage: Config;

/**
 * Jest's configuration for a plugin in its own folder: `*.test.ts` and `*.test.js` run under Node, `*.test.tsx` and `*.test.jsx` in
 * a page.
 *
 * @param within the name of the only subfolder whose tests run; if absent, all tests run but those in hidden folders, which
 *   belong to tools.
 * @public
 */
export declare function pluginJestConfig(folder: string, within?: string): Config;
