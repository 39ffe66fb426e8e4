import { framedAddress, useHost } from '@trellis/sdk/web';
import { useEffect, type ReactNode } from 'react';
import { HashRouter, MemoryRouter } from 'react-router-dom';
import type { HostParts } from './host-parts.ts';
import { HostProvider } from './HostProvider.tsx';
import { listenForCommands } from '../shell/keyboard.ts';
import { AppRoutes } from './AppRoutes.tsx';
import { Dialogs } from './Dialogs.tsx';
import { LoadingBar } from '../feedback/LoadingBar.tsx';
import { Slot } from '../shell/Slot.tsx';
import { PausedSession } from './PausedSession.tsx';
import { RootBoundary } from './RootBoundary.tsx';
import { StartGate, type FirstAttempt } from './StartGate.tsx';
import { Toasts } from '../feedback/Toasts.tsx';

export interface AppProps extends FirstAttempt {
  readonly parts: HostParts;
}

/** The whole page. */
export function App(props: AppProps) {
  return (
    <RootBoundary parts={props.parts}>
      <Frame {...props} />
    </RootBoundary>
  );
}

function Frame({ parts, connecting, isConnected }: AppProps) {
  return (
    <HostProvider parts={parts}>
      <LoadingBar />
      <StartGate connecting={connecting} isConnected={isConnected}>
        <Router>
          <AppRoutes />
          <Slot name="overlays" />
        </Router>
      </StartGate>
      <Shortcuts />
      <Dialogs />
      <PausedSession />
      <Toasts />
    </HostProvider>
  );
}

/** If other sites may frame the page, they must not navigate it: a frame's parent can change what follows `#`. */
function Router({ children }: { readonly children: ReactNode }) {
  const framed = framedAddress();
  if (framed === undefined) return <HashRouter>{children}</HashRouter>;
  return <MemoryRouter initialEntries={[framed]}>{children}</MemoryRouter>;
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
