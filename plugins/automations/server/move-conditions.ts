import { holdPausing, type AutomationStep, type ServerPluginContext } from '@trellis/sdk/server';
import type { FilterNode, MovedConditions } from '@trellis/sdk/shared';
import type { AutomationDefinition } from '../shared/index.ts';
import { automationErrors, problemOf } from './automation-errors.ts';
import type { AutomationStore } from './automation-store.ts';
import { readConditions } from './conditions.ts';
import { tellPaused } from './tell-owner.ts';
import type { TellPage } from './tell-page.ts';

type Conditions = readonly unknown[];

/** The definition with other conditions: of its trigger, and of steps that query rows. */
function withConditions(
  definition: AutomationDefinition,
  stepTypes: { get(id: string): AutomationStep | undefined },
  change: (conditions: Conditions) => Conditions,
): AutomationDefinition {
  const steps = definition.steps.map((step) => {
    const changed = (stepTypes.get(step.type)?.inputs ?? []).flatMap(({ id, kind }) => {
      const kept = step.settings[id];
      return kind === 'conditions' && Array.isArray(kept) ? [[id, change(kept as Conditions)] as const] : [];
    });
    return { ...step, settings: { ...step.settings, ...Object.fromEntries(changed) } };
  });
  return { ...definition, conditions: change(definition.conditions), steps };
}

/** Stored conditions with the values of these nodes. */
function written(kept: Conditions, nodes: readonly FilterNode[]): Conditions {
  return kept.map((one, at) => {
    const node = nodes[at];
    if (node?.kind === 'group')
      return Array.isArray(one)
        ? written(one as Conditions, node.children)
        : {
            ...(one as object),
            children: written((one as { children: Conditions }).children, node.children),
          };
    return node?.value === undefined ? one : { ...(one as object), value: node.value };
  });
}

/** The change of an automation after values were renamed or deleted; nothing if it tests for none of them. */
function movedDefinition(
  definition: AutomationDefinition,
  stepTypes: { get(id: string): AutomationStep | undefined },
  { filters, isGone }: MovedConditions,
): { readonly definition?: AutomationDefinition; readonly isGone: boolean } {
  const found = { hasMoved: false, isGone: false };
  const after = withConditions(definition, stepTypes, (kept) => {
    const nodes = readConditions(kept);
    found.isGone ||= isGone(nodes);
    const moved = filters(nodes);
    if (JSON.stringify(moved) === JSON.stringify(nodes)) return kept;
    found.hasMoved = true;
    return written(kept, moved);
  });
  return { ...(found.hasMoved && { definition: after }), isGone: found.isGone };
}

/** Updates the conditions of automations when values are renamed; pauses an automation that tests for a deleted value. */
export function holdConditions(
  ctx: ServerPluginContext,
  { automations, tellPage }: { readonly automations: AutomationStore; readonly tellPage: TellPage },
): void {
  const reason = automationErrors.create('AUTOMATION_VALUE_GONE');
  holdPausing(ctx, {
    id: 'automations',
    async tell(id) {
      const automation = await automations.byId(id);
      if (automation?.paused?.code !== reason.code) return;
      tellPage(automation.projectId);
      await tellPaused(ctx, automation, reason);
    },
    moved: (unit, moved) =>
      automations.rewrite(unit, moved.projectId, (now) => {
        const { definition, isGone } = movedDefinition(
          now.definition,
          ctx.registry('automationSteps'),
          moved,
        );
        const isPaused = isGone && now.paused === undefined;
        return {
          ...(definition !== undefined && { definition }),
          ...(isPaused && { paused: problemOf(reason) }),
        };
      }),
  });
}
