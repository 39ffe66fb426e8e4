import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createWebHost } from './app/create-web-host.ts';
import { registerHostContributions } from './app/host-contributions.ts';
import { connect, followEvents } from './app/start-web-host.ts';
import { App } from './app/App.tsx';
import 'primeicons/primeicons.css';
import './theme/index.css';

/** Milliseconds during which nothing is drawn. */
const longestNothing = 250;

/** Plugins that were built elsewhere use the page's controls but do not contain their styles. */
async function importModule(url: string): Promise<unknown> {
  const looks = url.startsWith('/ext/') ? import('virtual:primereact-theme.css') : undefined;
  const [loaded] = await Promise.all([import(/* @vite-ignore */ url), looks]);
  return loaded;
}

const root = document.getElementById('root');
if (root === null) throw new Error("The page has no element 'root'; index.html must have one.");
const parts = createWebHost({ importModule });
registerHostContributions(parts);
followEvents(parts);
let isConnected = false;
const connecting = connect(parts).then(() => {
  isConnected = true;
});
// If the page is ready quickly, it is drawn first: a placeholder before it would only take time.
const patience = new Promise<void>((resolve) => setTimeout(resolve, longestNothing));
// No `await` here: modules loaded meanwhile may import parts of this file, and would wait for it in turn.
void Promise.race([connecting, patience])
  .catch(() => undefined) // `StartGate` shows the reason.
  .then(() =>
    createRoot(root).render(
      <StrictMode>
        <App parts={parts} connecting={connecting} isConnected={isConnected} />
      </StrictMode>,
    ),
  );
