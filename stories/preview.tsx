import 'primeicons/primeicons.css';
import 'virtual:primereact-theme.css';
import '../host-web/theme/index.css';
import type { Preview } from '@storybook/react-vite';
import { WebHostContext } from '@trellis/sdk/web';
import { createMemoryHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { PrimeReactProvider } from 'primereact/api';
import { useEffect, useMemo } from 'react';
import { MemoryRouter } from 'react-router-dom';

/** What every story stands in: the theme, light or dark, and a host in memory that `parameters.host` furnishes. */
const preview: Preview = {
  globalTypes: {
    theme: {
      description: 'Light or dark',
      toolbar: { icon: 'contrast', items: ['light', 'dark'], dynamicTitle: true },
    },
  },
  initialGlobals: { theme: 'light' },
  decorators: [
    (Story, { globals, parameters }) => {
      const options = parameters.host as MemoryHostOptions | undefined;
      const theme = String(globals.theme);
      const { host } = useMemo(() => createMemoryHost(options), [options]);
      useEffect(() => {
        document.documentElement.dataset.theme = theme;
      }, [theme]);
      return (
        <PrimeReactProvider>
          <MemoryRouter>
            <WebHostContext value={host}>
              <Story />
            </WebHostContext>
          </MemoryRouter>
        </PrimeReactProvider>
      );
    },
  ],
  parameters: { layout: 'padded', controls: { expanded: true } },
};

export default preview;
