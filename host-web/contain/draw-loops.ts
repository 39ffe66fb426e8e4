import { toDisposable, type Clock, type Disposable } from '@trellis/core';
import type { DrawnPart } from '@trellis/sdk/web';

/** React's record of a drawn component, with the fields that its developer tools read. */
interface Fiber {
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  /** The same component before the commit. */
  readonly alternate: Fiber | null;
  readonly flags: number;
  readonly stateNode: unknown;
}

interface CommitHook {
  onCommitFiberRoot?: (
    renderer: number,
    root: { readonly current: Fiber },
    ...rest: readonly unknown[]
  ) => void;
}

/** React's flag of a component that was drawn in the last commit. */
const wasDrawn = 1;
const second = 1000;
/** Commits per second from which on the drawing parts are examined. No animation needs as many. */
const suspicious = 100;
/** Commits of a part within that second that count as a loop. */
const tooMany = 100;

/**
 * Stops parts that redraw themselves endlessly. Such a loop yields to the browser, so React does not detect it, but it blocks parts
 * that are still loading.
 *
 * React reports its commits through the hook of its developer tools, which `public/boot-commits.js` creates. Without that hook
 * nothing is watched.
 */
export function watchDrawLoops(clock: Pick<Clock, 'now'>): Disposable {
  const { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook } = globalThis as {
    readonly __REACT_DEVTOOLS_GLOBAL_HOOK__?: CommitHook;
  };
  if (hook === undefined) return toDisposable(() => undefined);
  const inner = hook.onCommitFiberRoot;
  const didCommit = createLoopCounter(clock);
  const outer: CommitHook['onCommitFiberRoot'] = (renderer, root, ...rest) => {
    inner?.call(hook, renderer, root, ...rest);
    didCommit(root.current);
  };
  hook.onCommitFiberRoot = outer;
  return toDisposable(() => {
    if (hook.onCommitFiberRoot === outer) hook.onCommitFiberRoot = inner;
  });
}

function createLoopCounter({ now }: Pick<Clock, 'now'>): (root: Fiber) => void {
  let since = -Infinity;
  let commits = 0;
  let drawings = new Map<DrawnPart, number>();
  return (root) => {
    const time = now();
    if (time - since >= second) {
      since = time;
      commits = 0;
      drawings = new Map();
    }
    commits += 1;
    if (commits <= suspicious) return;
    for (const part of partsThatDrew(root)) {
      const count = (drawings.get(part) ?? 0) + 1;
      drawings.set(part, count);
      if (count === tooMany)
        part.stopDrawing(new Error(`It drew itself ${suspicious + tooMany} times within a second`));
    }
  };
}

/** The innermost parts around the components that the last commit drew. A part is not responsible for what its parent redrew. */
function partsThatDrew(root: Fiber): ReadonlySet<DrawnPart> {
  const found = new Set<DrawnPart>();
  function visit(holder: Fiber, around: DrawnPart | undefined): void {
    // React reuses the children if nothing below has changed.
    if (holder.alternate === null || holder.child === holder.alternate.child) return;
    for (let fiber = holder.child; fiber !== null; fiber = fiber.sibling) {
      const isDrawn = fiber.alternate !== null && (fiber.flags & wasDrawn) !== 0;
      const part = isPart(fiber.stateNode) ? fiber.stateNode : undefined;
      if (part !== undefined && isDrawn) continue;
      const inside = part ?? around;
      if (isDrawn && inside !== undefined) found.add(inside);
      visit(fiber, inside);
    }
  }
  visit(root, undefined);
  return found;
}

function isPart(value: unknown): value is DrawnPart {
  return typeof value === 'object' && value !== null && 'stopDrawing' in value;
}
