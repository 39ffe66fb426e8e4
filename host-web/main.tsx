import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createWebHost } from './app/create-web-host.ts';
import { registerHostContributions } from './app/host-contributions.ts';
import { connect, followEvents } from './app/start-web-host.ts';
import { App } from './app/App.tsx';
import 'primeicons/primeicons.css';
import './theme/index.css';

/** A plugin that was built elsewhere draws with the controls of the page, but brings nothing of their looks. */
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
// Before React begins, so that the server's answers come while it draws the first time.
const connecting = connect(parts);
connecting.catch(() => undefined); // The gate shows it.
createRoot(root).render(
  <StrictMode>
    <App parts={parts} connecting={connecting} />
  </StrictMode>,
);
