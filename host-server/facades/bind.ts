import { join } from 'node:path';
import { later, type Container } from '@trellis/core';
import {
  FilesToken,
  MailerToken,
  NotifierToken,
  OperationsToken,
  SignInToken,
  TransfersToken,
  VariablesToken,
} from '@trellis/sdk/server';
import { PluginServiceToken } from '../plugins/tokens.ts';
import { ConfigToken, HooksToken, LoggerToken, OwnedWorkToken, registryToken } from '../runtime/tokens.ts';
import { AdapterCalls } from './adapter-calls.ts';
import { createFiles } from './files.ts';
import { ListenerRunner } from './listener-runner.ts';
import { createLocalStorage } from './local-storage.ts';
import { createMailer } from './mailer.ts';
import { createNotifier } from './notifier.ts';
import { createOperations } from './operations.ts';
import { AdapterCallsToken, ListenerRunnerToken } from './tokens.ts';
import { createSignIn } from './sign-in.ts';
import { createTransfers } from './transfers.ts';
import { createVariables } from './variables.ts';

/** Binds the services that look up their provider in a registry at each call, so that plugins can add, replace and remove it. */
export function bindFacades(container: Container): void {
  const calls = AdapterCallsToken;
  container.bind(AdapterCallsToken, {
    needs: { work: later(OwnedWorkToken), plugins: later(PluginServiceToken) },
    make: ({ work, plugins }) => new AdapterCalls({ work, nameOf: (id) => plugins().nameOf(id) }),
  });
  container.bind(MailerToken, {
    needs: { adapters: registryToken('mailAdapters'), calls, hooks: HooksToken },
    make: ({ hooks, ...needed }) =>
      createMailer({
        ...needed,
        chosen: (choice, what) => hooks.call('mail.willSend', choice, { what }),
      }),
  });
  container.bind(FilesToken, {
    needs: { adapters: registryToken('storageAdapters'), calls, config: ConfigToken, hooks: HooksToken },
    make: ({ config, hooks, ...needed }) =>
      createFiles({
        ...needed,
        local: createLocalStorage(join(config.dataDir, 'files')),
        placed: (placement, facts) => hooks.call('files.willPut', placement, facts),
      }),
  });
  container.bind(NotifierToken, {
    needs: { channels: registryToken('notificationChannels'), calls },
    make: createNotifier,
  });
  container.bind(SignInToken, {
    needs: { authProviders: registryToken('authProviders'), calls },
    make: createSignIn,
  });
  container.bind(VariablesToken, {
    needs: { sources: registryToken('variableSources'), calls },
    make: createVariables,
  });
  container.bind(TransfersToken, {
    needs: {
      exporters: registryToken('exporters'),
      importers: registryToken('importers'),
      types: registryToken('columnTypes'),
      work: later(OwnedWorkToken),
      plugins: later(PluginServiceToken),
    },
    make: ({ plugins, ...needed }) => createTransfers({ ...needed, nameOf: (id) => plugins().nameOf(id) }),
  });
  container.bind(OperationsToken, {
    needs: {
      operations: registryToken('operations'),
      work: later(OwnedWorkToken),
      plugins: later(PluginServiceToken),
    },
    make: ({ plugins, ...needed }) => createOperations({ ...needed, plugins: () => plugins().list() }),
  });
  container.bind(ListenerRunnerToken, {
    needs: { listeners: registryToken('listeners'), work: later(OwnedWorkToken), logger: LoggerToken },
    make: (needed) => new ListenerRunner(needed),
    dispose: (runner) => runner.stop(),
  });
}
