require('./code-cache.cjs');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's environment for Node, on a plain global object. Jest's own stands behind a proxy, through which every `Math` and every `Map` is
 * looked up anew: a loop that calls `Math.max` takes hundreds of times as long as in the product.
 */
class PlainNodeEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    // Jest makes its context in the constructor, and offers no other place. Node 22.0 to 22.7 know no plain one.
    const plain = vm.constants.DONT_CONTEXTIFY;
    if (plain !== undefined) vm.createContext = () => createContext(plain);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}

module.exports = PlainNodeEnvironment;
