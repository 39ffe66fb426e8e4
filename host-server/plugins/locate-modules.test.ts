import { describe, expect, test } from '@jest/globals';
import { findModuleLocations, sdkMapFile, serverModuleUrl, webFolder } from './locate-modules.ts';

describe('locating modules', () => {
  const built = findModuleLocations('file:///srv/trellis/dist/server/main.mjs');
  const source = findModuleLocations('file:///srv/trellis/host-server/plugins/locate-modules.ts');

  test('a built server finds built plugins', () => {
    expect(built).toEqual({ kind: 'built', root: '/srv/trellis', output: '/srv/trellis/dist' });
    expect(serverModuleUrl(built, 'column-rating')).toBe(
      'file:///srv/trellis/dist/server/plugins/column-rating.mjs',
    );
  });

  test('tests find the sources of plugins', () => {
    expect(source).toEqual({ kind: 'source', root: '/srv/trellis', output: '/srv/trellis/dist' });
    expect(serverModuleUrl(source, 'column-rating')).toBe(
      'file:///srv/trellis/plugins/column-rating/server/index.ts',
    );
    expect(findModuleLocations().kind).toBe('source');
  });

  test('the SDK that plugins share is the built one', () => {
    expect(sdkMapFile(built)).toBe('/srv/trellis/dist/server/sdk-map.json');
  });

  test('a server of `npm run dev` finds what was built beside it', () => {
    const dev = findModuleLocations('file:///srv/trellis/dist-dev/server/main.mjs');
    expect(webFolder(dev)).toBe('/srv/trellis/dist-dev/web');
    expect(serverModuleUrl(dev, 'app')).toBe('file:///srv/trellis/dist-dev/server/plugins/app.mjs');
  });

  test('the web host is served from dist in either case', () => {
    expect([webFolder(built), webFolder(source)]).toEqual(['/srv/trellis/dist/web', '/srv/trellis/dist/web']);
  });
});
