import { HookRegistry, type HookDefinition, type HookServices } from '@trellis/core';
import type { HostServerHooks, ServerHooks } from '@trellis/sdk/server';
import {
  checkChoice,
  checkInput,
  checkKeys,
  checkPlacement,
  checkRowChanges,
  checkRows,
} from './hook-checks.ts';

type Definitions = {
  readonly [Id in keyof HostServerHooks]: Omit<HookDefinition<HostServerHooks[Id]['kind']>, 'id'>;
};

/** Every hook of the server: its kind, its policy, and when it is called. */
const serverHookDefinitions: Definitions = {
  'rows.willCreate': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before rows are inserted. The value is the rows.',
    check: checkRows,
  },
  'rows.willUpdate': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before rows are changed. The value is the changes by row key.',
    check: checkRowChanges,
  },
  'rows.willDelete': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before rows are deleted. The value is the keys.',
    check: checkKeys,
  },
  'rows.didChange': {
    kind: 'did',
    policy: 'contain',
    description: 'After rows changed and the change is durable.',
  },
  'tables.willCreate': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before a table is made.',
    check: checkInput,
  },
  'tables.willDelete': {
    kind: 'bail',
    policy: 'propagate',
    description: 'Before a table is parked; a veto keeps it.',
  },
  'columns.willCreate': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before a column is made.',
    check: checkInput,
  },
  'columns.willDelete': {
    kind: 'bail',
    policy: 'propagate',
    description: 'Before a column is parked; a veto keeps it.',
  },
  'views.willTell': {
    kind: 'waterfall',
    policy: 'contain',
    description: 'Before somebody is told of views.',
  },
  'schema.didChange': {
    kind: 'did',
    policy: 'contain',
    description: 'After tables, columns or views of a project changed.',
  },
  'rows.didPurge': {
    kind: 'did',
    policy: 'contain',
    description: 'After deleted rows were deleted for good.',
  },
  'tables.didPurge': {
    kind: 'did',
    policy: 'contain',
    description: 'After a table was dropped for good, or taken out of its project.',
  },
  'projects.didCreate': { kind: 'did', policy: 'contain', description: 'After a project was made.' },
  'projects.didDelete': { kind: 'did', policy: 'contain', description: 'After a project was deleted.' },
  'projects.didPurge': {
    kind: 'did',
    policy: 'contain',
    description: 'After a deleted project was removed for good.',
  },
  'files.willPut': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before a file is kept. The value says where it goes.',
    check: checkPlacement,
  },
  'mail.willSend': {
    kind: 'waterfall',
    policy: 'propagate',
    description: 'Before a mail is sent, or its way out is tried. The value says by which adapter.',
    check: checkChoice,
  },
  'accounts.didDisable': {
    kind: 'did',
    policy: 'contain',
    description: 'After an account was disabled.',
  },
  'accounts.didReset': {
    kind: 'did',
    policy: 'contain',
    description: 'After an administrator took away how somebody proves who they are.',
  },
  'accounts.didDelete': { kind: 'did', policy: 'contain', description: 'After an account was deleted.' },
  'plugins.willEnable': {
    kind: 'bail',
    policy: 'propagate',
    whenSpent: 'suspended',
    description: 'Before a plugin is switched on; a veto keeps it off.',
  },
  'plugins.willDisable': {
    kind: 'bail',
    policy: 'propagate',
    whenSpent: 'suspended',
    description: 'Before a plugin is switched off; a veto keeps it on.',
  },
  'plugins.didChange': {
    kind: 'did',
    policy: 'contain',
    description: "After a plugin's state changed, or its settings as far as pages know them.",
  },
};

export function createServerHooks(services: HookServices): HookRegistry<ServerHooks> {
  const hooks = new HookRegistry<ServerHooks>(services);
  for (const [id, definition] of Object.entries(serverHookDefinitions)) {
    hooks.define(id as keyof HostServerHooks, definition as never);
  }
  return hooks;
}
