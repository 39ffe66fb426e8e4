import { createToken } from '@trellis/core';
import type { PluginUnit } from '@trellis/sdk/server';
import type { Unit } from '../sql/unit.ts';
import type { Principals } from './credentials/principals.ts';

export const PrincipalsToken = createToken<Principals>('host.principals');

/** Finds the transaction behind a plugin's unit. */
export const PluginUnitsToken = createToken<(unit: PluginUnit) => Unit>('host.plugin-units');
