const vm = require('node:vm');

/**
 * Jest compiles every package and every module anew for each test file. A worker keeps what V8 made of one the first time, so that the
 * next file only has to read it. Code that imports while it runs is left alone: V8 would remember the file that compiled it first, which
 * may be gone.
 */
const kept = new Map();
const keptModules = new Map();
const { compileFunction, SourceTextModule } = vm;

vm.compileFunction = function compileOnce(code, params = [], options = {}) {
  if (/\bimport\b/.test(code)) return compileFunction(code, params, options);
  const known = kept.get(options.filename);
  if (known !== undefined && known.code === code && known.params === params.join()) {
    const read = compileFunction(code, params, { ...options, cachedData: known.data });
    // V8 refuses what it made before somebody changed its flags.
    if (read.cachedDataRejected !== true) return read;
  }
  const compiled = compileFunction(code, params, { ...options, produceCachedData: true });
  kept.set(options.filename, { code, params: params.join(), data: compiled.cachedData });
  return compiled;
};

function compileModuleOnce(code, options = {}) {
  const known = keptModules.get(options.identifier);
  if (known !== undefined && known.code === code) {
    try {
      return new SourceTextModule(code, { ...options, cachedData: known.data });
    } catch (error) {
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    }
  }
  const module = new SourceTextModule(code, options);
  if (!/\bimport\s*\(/.test(code))
    keptModules.set(options.identifier, { code, data: module.createCachedData() });
  return module;
}

// Only Node with --experimental-vm-modules has modules to give.
if (SourceTextModule !== undefined) {
  vm.SourceTextModule = Object.assign(function SourceTextModuleOnce(code, options) {
    return compileModuleOnce(code, options);
  }, SourceTextModule);
  vm.SourceTextModule.prototype = SourceTextModule.prototype;
}
