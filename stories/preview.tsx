import 'primeicons/primeicons.css';
import 'primereact/resources/themes/lara-light-cyan/theme.css';
import type { Preview } from '@storybook/react-vite';
import { PrimeReactProvider } from 'primereact/api';

/** What every story stands in: the theme and the settings of the controls. */
const preview: Preview = {
  decorators: [
    (Story) => (
      <PrimeReactProvider>
        <Story />
      </PrimeReactProvider>
    ),
  ],
  parameters: { layout: 'padded', controls: { expanded: true } },
};

export default preview;
