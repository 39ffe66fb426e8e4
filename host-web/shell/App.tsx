import { useEffect } from 'react';
import { HashRouter } from 'react-router-dom';
import type { HostParts } from '../host/create-web-host.ts';
import { HostProvider } from '../host/HostProvider.tsx';
import { listenForCommands } from '../host/keyboard.ts';
import { AppRoutes } from '../router/AppRoutes.tsx';
import { Dialogs } from './Dialogs.tsx';
import { LoadingBar } from './LoadingBar.tsx';
import { Slot } from './Slot.tsx';
import { StartGate } from './StartGate.tsx';
import { Toasts } from './Toasts.tsx';

/** The whole page. */
export function App({ parts }: { readonly parts: HostParts }) {
  useEffect(() => {
    const commands = parts.registries.get('commands');
    const listener = listenForCommands(commands, (id, error) =>
      parts.diagnostics.add(commands.ownerOf(id) ?? id, `command ${id}`, error),
    );
    return () => void listener.dispose();
  }, [parts]);
  return (
    <HostProvider parts={parts}>
      <LoadingBar />
      <StartGate>
        <HashRouter>
          <AppRoutes />
          <Slot name="overlays" />
        </HashRouter>
      </StartGate>
      <Dialogs />
      <Toasts />
    </HostProvider>
  );
}
