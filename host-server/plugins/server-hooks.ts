import { HookRegistry, type ErrorBudget, type HookDefinition } from '@trellis/core';
import type { ServerHooks } from '@trellis/sdk/server';

type Definitions = {
  readonly [Id in keyof ServerHooks]: Omit<HookDefinition<ServerHooks[Id]['kind']>, 'id'>;
};

/** Every hook of the server: its kind, its policy, and when it is called. */
const serverHookDefinitions: Definitions = {
  'rows.willCreate': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before rows are inserted. The value is the rows.',
  },
  'rows.willUpdate': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before rows are changed. The value is the changes by row key.',
  },
  'rows.willDelete': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before rows are deleted. The value is the keys.',
  },
  'rows.didChange': {
    kind: 'did',
    policy: 'contain',
    description: 'After rows changed and the change is durable.',
  },
  'tables.willCreate': { kind: 'waterfall', policy: 'propagate', description: 'Before a table is made.' },
  'tables.willDelete': {
    kind: 'bail',
    policy: 'propagate',
    description: 'Before a table is parked; a veto keeps it.',
  },
  'columns.willCreate': { kind: 'waterfall', policy: 'propagate', description: 'Before a column is made.' },
  'columns.willDelete': {
    kind: 'bail',
    policy: 'propagate',
    description: 'Before a column is parked; a veto keeps it.',
  },
  'schema.didChange': {
    kind: 'did',
    policy: 'contain',
    description: 'After tables, columns or views of a project changed.',
  },
  'projects.didCreate': { kind: 'did', policy: 'contain', description: 'After a project was made.' },
  'projects.didDelete': { kind: 'did', policy: 'contain', description: 'After a project was deleted.' },
  'plugins.willEnable': {
    kind: 'bail',
    policy: 'propagate',
    description: 'Before a plugin is switched on; a veto keeps it off.',
  },
  'plugins.willDisable': {
    kind: 'bail',
    policy: 'propagate',
    description: 'Before a plugin is switched off; a veto keeps it on.',
  },
  'plugins.didChange': { kind: 'did', policy: 'contain', description: "After a plugin's state changed." },
};

export function createServerHooks(services: {
  readonly budget: ErrorBudget;
  onContained(error: unknown, owner: string, hookId: string): void;
}): HookRegistry<ServerHooks> {
  const hooks = new HookRegistry<ServerHooks>(services);
  for (const [id, definition] of Object.entries(serverHookDefinitions)) {
    hooks.define(id as keyof ServerHooks, definition as never);
  }
  return hooks;
}
