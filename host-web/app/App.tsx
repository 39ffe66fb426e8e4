import { useHost } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { HashRouter } from 'react-router-dom';
import type { HostParts } from './host-parts.ts';
import { HostProvider } from './HostProvider.tsx';
import { listenForCommands } from '../shell/keyboard.ts';
import { AppRoutes } from './AppRoutes.tsx';
import { Dialogs } from './Dialogs.tsx';
import { LoadingBar } from '../feedback/LoadingBar.tsx';
import { Slot } from '../shell/Slot.tsx';
import { RootBoundary } from './RootBoundary.tsx';
import { StartGate } from './StartGate.tsx';
import { Toasts } from '../feedback/Toasts.tsx';

/** The whole page. */
export function App({ parts }: { readonly parts: HostParts }) {
  return (
    <RootBoundary parts={parts}>
      <Frame parts={parts} />
    </RootBoundary>
  );
}

function Frame({ parts }: { readonly parts: HostParts }) {
  return (
    <HostProvider parts={parts}>
      <LoadingBar />
      <StartGate>
        <HashRouter>
          <AppRoutes />
          <Slot name="overlays" />
        </HashRouter>
      </StartGate>
      <Shortcuts />
      <Dialogs />
      <Toasts />
    </HostProvider>
  );
}

/** Runs commands by their keys. */
function Shortcuts() {
  const host = useHost();
  useEffect(() => {
    const listener = listenForCommands(host);
    return () => void listener.dispose();
  }, [host]);
  return null;
}
