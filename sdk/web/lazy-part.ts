import { type ComponentType, createElement, lazy, useState } from 'react';

/** A component whose code is loaded when it is first drawn, or earlier. @public */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the code, so that drawing need not wait for it. If that fails, drawing throws the error. */
  readonly load: () => Promise<void>;
};

/**
 * Like React's `lazy`, but the code can be loaded before the component is drawn. It is then drawn at once; otherwise the `Suspense`
 * around it shows its fallback, which React keeps for a third of a second.
 *
 * The host does this for pages, layouts and tabs that are about to be opened.
 *
 * @public
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyPart<Props> {
  let code: Promise<{ readonly default: ComponentType<Props> }> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const fetchCode = () => {
    code ??= load().then(
      (module) => {
        loaded = module.default;
        return module;
      },
      (error: unknown) => {
        // React's `lazy` would fail for ever; the next drawing tries to load again.
        code = undefined;
        waiting = lazy(fetchCode);
        throw error;
      },
    );
    return code;
  };
  let waiting = lazy(fetchCode);

  function Part(props: Props) {
    // Kept while it is drawn: another component would lose the state of the first one.
    const [Drawn] = useState<ComponentType<Props>>(() => loaded ?? waiting);
    return createElement(Drawn, props);
  }
  const settled = () => undefined;
  return Object.assign(Part, { load: () => fetchCode().then(settled, settled) });
}

/** Loads the code of a component if it supports that. @public */
export async function loadPart(component: object): Promise<void> {
  if ('load' in component && typeof component.load === 'function') await component.load();
}
