import 'primeicons/primeicons.css';
import 'virtual:primereact-theme.css';
import '../host-web/theme/index.css';
import type { Preview } from '@storybook/react-vite';
import * as hostTestModule from '../host-web/testing/index.ts';
import { memoryHostOn, type MemoryHostOptions } from '../sdk/testing/memory-host.ts';
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
      const { Frame } = useMemo(() => memoryHostOn(hostTestModule, options), [options]);
      useEffect(() => {
        document.documentElement.dataset.theme = theme;
      }, [theme]);
      return (
        <PrimeReactProvider>
          <MemoryRouter>
            <Frame>
              <Story />
            </Frame>
          </MemoryRouter>
        </PrimeReactProvider>
      );
    },
  ],
  parameters: { layout: 'padded', controls: { expanded: true } },
};

export default preview;
