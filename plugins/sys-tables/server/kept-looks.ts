import { UserStorageToken, type ConditionHolder, type ServerPluginContext } from '@trellis/sdk/server';
import type { FilterNode, MovedConditions, RegistryView, ViewAddition } from '@trellis/sdk/shared';
import { ownLookKey } from '../shared/own-look-key.ts';

type Options = Readonly<Record<string, unknown>>;

/** The parts of a personal look that contain values. */
interface KeptLook {
  readonly filters?: readonly FilterNode[];
  readonly additions?: Readonly<Record<string, Options>>;
}

/** Updates values in people's personal settings of views, such as filters and colours, when rows get other values. */
export function keptLooks(ctx: ServerPluginContext): ConditionHolder {
  const additions = ctx.registry('viewAdditions');
  const prefix = `${ctx.manifest.id}.${ownLookKey('')}`;
  return {
    id: 'kept-looks',
    moved: (unit, moved) =>
      ctx.get(UserStorageToken).revise(unit, prefix, (look) => movedLook(look as KeptLook, moved, additions)),
  };
}

function movedLook(look: KeptLook, moved: MovedConditions, known: RegistryView<ViewAddition>): KeptLook {
  const { filters, additions } = look;
  const next = {
    ...look,
    ...(filters !== undefined && { filters: moved.filters(filters) }),
    ...(additions !== undefined && {
      additions: Object.fromEntries(
        Object.entries(additions).map(([id, kept]) => [id, known.get(id)?.moved?.(kept, moved) ?? kept]),
      ),
    }),
  };
  return JSON.stringify(next) === JSON.stringify(look) ? look : next;
}
