const { join } = require('node:path');
const { fileURLToPath } = require('node:url');
const JestRuntime = require('jest-runtime').default;

const root = join(__dirname, '../..');
/** The product and its packages. Tests and test kits are evaluated for each file, since they add hooks to the file that imports them. */
const lasting = [
  /^\/(?:core|sdk|host-server|host-web|plugins)\/(?!(?:.*\/)?testing[/.]|.*\.(?:test|fixture)\.)/,
  /^\/node_modules\/(?!\.cache\/|@testing-library\/react\/dist\/index)/,
];

const runtimes = new WeakMap();

/**
 * Jest's runtime, which evaluates the modules of the product and of packages once per worker: Jest's own does so for each file, which
 * takes a second or more, and the code of the product has to become fast again each time. A file whose environment is no kept one has
 * modules of its own.
 */
class KeptRuntime extends JestRuntime {
  constructor(...options) {
    const [, environment, , , , , testPath] = options;
    const kept = runtimes.get(environment);
    if (kept !== undefined) {
      kept.begin(testPath);
      return kept;
    }
    super(...options);
    if (environment.isKept !== true) return;
    runtimes.set(environment, this);
    this.keepImports(environment);
  }

  /** A module that a file only began to import would never be there for the files after it, which may hold the promise of it. */
  keepImports(environment) {
    const pending = new Set();
    const load = this.esmLoader.dynamicImport;
    this.esmLoader.dynamicImport = (...of) => {
      const loaded = load(...of);
      const forget = () => pending.delete(loaded);
      pending.add(loaded);
      loaded.then(forget, forget);
      return loaded;
    };
    environment.imported = async () => {
      // One may begin another.
      while (pending.size > 0) await Promise.allSettled(pending);
    };
  }

  begin(testPath) {
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = 'loading';
  }

  setMock(...mock) {
    this.refuseMocks();
    super.setMock(...mock);
  }

  setModuleMock(...mock) {
    this.refuseMocks();
    super.setModuleMock(...mock);
  }

  refuseMocks() {
    if (this._environment.isKept !== true) return;
    throw new Error(
      `Modules that serve other files, too, cannot be replaced in one. Name an environment of its own above the imports: ` +
        `/** @jest-environment <rootDir>/sdk/testing/jest/node-environment.cjs */`,
    );
  }

  /** Ends a file: what is the product's or a package's stays. */
  teardown() {
    if (this._environment.isKept !== true) {
      super.teardown();
      return;
    }
    this.restoreAllMocks();
    const { registries } = this;
    registries.exitIsolated();
    registries.mockRegistry.clear();
    registries.moduleMockRegistry.clear();
    registries.internalModuleRegistry.clear();
    for (const path of registries.moduleRegistry.keys()) {
      if (!isLasting(path)) registries.moduleRegistry.delete(path);
    }
    for (const [key, module] of registries.esModuleRegistry) {
      // What was only being linked or evaluated would never be finished.
      const stays = module.status === 'evaluated' && isLastingModule(key);
      if (!stays) registries.esModuleRegistry.delete(key);
    }
    this.testMainModule.reset();
    this.mockState.clear();
    this.jestGlobals.clearJestObjectCache();
    this.v8Coverage.reset();
    this.loggedReferenceErrors.clear();
    this.testState.teardown();
  }
}

/** @param key the address of a file, or the name of a module of Node's */
function isLastingModule(key) {
  return key.startsWith('file:') ? isLasting(fileURLToPath(key)) : key.startsWith('node:');
}

function isLasting(path) {
  if (!path.startsWith(root)) return false;
  const own = path.slice(root.length);
  return lasting.some((pattern) => pattern.test(own));
}

module.exports = { __esModule: true, default: KeptRuntime };
