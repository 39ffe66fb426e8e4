import { createToken } from '@trellis/core';
import type { PluginUnit } from '@trellis/sdk/server';
import type { Unit } from '../sql/unit.ts';
import type { Principals } from './credentials/principals.ts';
import type { ViewHeirs } from './members/view-heirs.ts';

export const PrincipalsToken = createToken<Principals>('host.principals');
export const ViewHeirsToken = createToken<ViewHeirs>('host.view-heirs');

/** Returns the transaction behind a plugin's unit. */
export const PluginUnitsToken = createToken<(unit: PluginUnit) => Unit>('host.plugin-units');
