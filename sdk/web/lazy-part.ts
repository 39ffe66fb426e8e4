import { type ComponentType, createElement, lazy, useState } from 'react';

/** A component whose code comes when it is first drawn, or before. @public */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the code, so that drawing need not wait for it. Whoever draws meets the error of a fetch that failed. */
  readonly load: () => Promise<void>;
};

/**
 * Like React's `lazy`, but whoever knows that the component is going to be drawn can have its code fetched before. Drawn then, it
 * is there at once; otherwise the `Suspense` around it shows its fallback, and React keeps that up for a third of a second.
 *
 * The host does so for pages, layouts and tabs that are about to be opened.
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
        // React's `lazy` fails for ever; the next one who draws the component asks the server again.
        code = undefined;
        waiting = lazy(fetchCode);
        throw error;
      },
    );
    return code;
  };
  let waiting = lazy(fetchCode);

  function Part(props: Props) {
    // Kept while it is drawn: another component would forget what the first one holds.
    const [Drawn] = useState<ComponentType<Props>>(() => loaded ?? waiting);
    return createElement(Drawn, props);
  }
  const settled = () => undefined;
  return Object.assign(Part, { load: () => fetchCode().then(settled, settled) });
}

/** Fetches the code of a component if it is one that can be fetched before. @public */
export async function loadPart(component: object): Promise<void> {
  if ('load' in component && typeof component.load === 'function') await component.load();
}
