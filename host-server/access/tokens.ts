import { createToken } from '@trellis/core';
import type { PluginUnit } from '@trellis/sdk/server';
import type { Unit } from '../sql/unit.ts';

/** Finds the transaction behind a plugin's unit. */
export const PluginUnitsToken = createToken<(unit: PluginUnit) => Unit>('host.plugin-units');
