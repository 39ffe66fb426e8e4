import { expect, test } from '@jest/globals';
import { Registries, Registry, type PluginManifest } from '@trellis/core';
import type { ServerRegistries } from '@trellis/sdk/server';
import { pluginNotices } from './plugin-notices.ts';

const registries = new Registries<ServerRegistries>();
registries.define(new Registry({ id: 'columnTypes', absentPolicy: 'read raw' }) as never);

const noticesOf = (contributes: PluginManifest['contributes'], namesOfProduct: readonly string[] = []) =>
  pluginNotices({ id: 'acme-mood', contributes } as PluginManifest, {
    registries,
    routes: { list: () => [] },
    namesOfProduct: new Set(namesOfProduct),
    missingSettings: () => [],
    pageFailure: () => undefined,
  });

test('a plugin that promises something for what is nearly a registry is told what it may have meant', () => {
  expect(noticesOf({ columTypes: [{ id: 'Mood' }] })).toEqual([
    expect.stringMatching(/'columTypes', which is no registry; did it mean 'columnTypes'\?/),
  ]);
  expect(noticesOf({ toolbarItems: [{ id: 'mood' }] })).toEqual([]);
});

test('a registry that plugins of the product use is no slip, however like a name of the server its name is', () => {
  expect(noticesOf({ columnTips: [{ id: 'mood' }] }, ['columnTips', 'toolbarItems'])).toEqual([]);
});
