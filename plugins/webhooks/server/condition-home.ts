import type { AccessScope, FilterHome, FilterInput, ServerPluginContext } from '@trellis/sdk/server';
import type { FilterEntity, FilterNode } from '@trellis/sdk/shared';
import type { Moment } from '../shared/index.ts';
import { toFilterEntities } from './hook-entities.ts';
import { hookErrors } from './hook-errors.ts';
import { createOpenHook, type FoundHook } from './hook-places.ts';
import type { HookStore } from './hook-store.ts';
import { createSetConditions } from './set-conditions.ts';

/** The webhook and the moment whose conditions contain a given one. */
interface FoundCondition {
  readonly found: FoundHook;
  readonly when: Moment;
}

/** Reads and changes the conditions of webhooks by their own ids, like those of views. */
export function conditionHome(ctx: ServerPluginContext, hooks: HookStore): FilterHome {
  const openHook = createOpenHook(ctx);
  const setConditions = createSetConditions(ctx, hooks);

  async function find(
    scope: AccessScope,
    id: string,
    permission: string,
  ): Promise<FoundCondition | undefined> {
    const hook = scope.projectId === undefined ? undefined : await hooks.withCondition(id, scope.projectId);
    const found = hook && (await openHook(hook, scope, permission));
    if (found === undefined) return undefined;
    const when = isIn(found.hook.filters, id) ? 'after' : 'before';
    return { found, when };
  }

  async function change(
    scope: AccessScope,
    id: string,
    to: (now: readonly FilterNode[]) => readonly FilterNode[],
  ): Promise<void> {
    const there = await find(scope, id, 'hookUpdate');
    if (there === undefined) throw hookErrors.create('HOOK_FILTER_MISSING');
    const by = { principal: scope.principal, id: scope.requestId };
    await setConditions(there.found, { when: there.when, by }, to);
  }

  return {
    id: 'webhooks',
    projectOf: async (id) => (await hooks.withCondition(id))?.projectId,
    async read(scope, id) {
      const there = await find(scope, id, 'hookList');
      if (there === undefined) return undefined;
      const { found, when } = there;
      return entityIn(toFilterEntities(found.hook, found.table, { when }), id);
    },
    async update(scope, id, patch) {
      const { order } = patch;
      await change(scope, id, (now) => {
        const there = replaced(now, id, (node) => [patched(node, patch)]);
        return order === undefined ? there : moved(there, id, order);
      });
    },
    remove: (scope, id) => change(scope, id, (now) => replaced(now, id, () => [])),
  };
}

function isIn(nodes: readonly FilterNode[], id: string): boolean {
  return nodes.some((node) => node.id === id || (node.kind === 'group' && isIn(node.children, id)));
}

function replaced(
  nodes: readonly FilterNode[],
  id: string,
  to: (node: FilterNode) => readonly FilterNode[],
): readonly FilterNode[] {
  return nodes.flatMap((node): readonly FilterNode[] => {
    if (node.id === id) return to(node);
    return [node.kind === 'group' ? { ...node, children: replaced(node.children, id, to) } : node];
  });
}

/** Moves a condition to a place in its group, counted from 1. */
function moved(nodes: readonly FilterNode[], id: string, order: number): readonly FilterNode[] {
  const node = nodes.find((one) => one.id === id);
  if (node !== undefined) {
    const others = nodes.filter((one) => one !== node);
    return others.toSpliced(Math.max(0, Math.round(order) - 1), 0, node);
  }
  return nodes.map((one) =>
    one.kind === 'group' ? { ...one, children: moved(one.children, id, order) } : one,
  );
}

function patched(node: FilterNode, patch: Partial<FilterInput>): FilterNode {
  const { logicalOp = node.logicalOp } = patch;
  if (node.kind === 'group') return { ...node, logicalOp };
  const { columnId = node.columnId, operator = node.operator, value = node.value } = patch;
  return { ...node, logicalOp, columnId, operator, value };
}

function entityIn(entities: readonly FilterEntity[], id: string): FilterEntity | undefined {
  for (const entity of entities) {
    const found = entity.id === id ? entity : entityIn(entity.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}
