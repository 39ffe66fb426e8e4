// Runs before React, which looks once for the hook of its developer tools and tells it of each commit: `contain/draw-loops.ts`
// counts them. Where the developer tools are installed, their hook is there already.
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= {
  renderers: new Map(),
  supportsFiber: true,
  inject: () => 1,
};
