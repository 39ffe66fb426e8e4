require('./code-cache.cjs');
const { TestEnvironment } = require('jest-environment-jsdom');
const { webcrypto } = require('node:crypto');

/** What browsers have, our dependencies want at import time, and jsdom lacks. */
const fromNode = [
  'TextEncoder',
  'TextDecoder',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'structuredClone',
  'fetch',
  'Request',
  'Response',
  'Headers',
  'BroadcastChannel',
];

class CompletedJsdomEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of fromNode) this.global[name] ??= globalThis[name];
    if (this.global.crypto?.subtle === undefined) {
      Object.defineProperty(this.global, 'crypto', { value: webcrypto, configurable: true });
    }
    this.global.matchMedia ??= (query) => ({
      matches: false,
      media: query,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => false,
    });
    this.global.ResizeObserver ??= class ResizeObserver {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    this.global.IntersectionObserver ??= class IntersectionObserver {
      observe() {}
      unobserve() {}
      disconnect() {}
      takeRecords() {
        return [];
      }
    };
    this.global.Element.prototype.scrollIntoView ??= () => {};
  }
}

module.exports = CompletedJsdomEnvironment;
