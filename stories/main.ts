import type { StorybookConfig } from '@storybook/react-vite';
import { mergeConfig } from 'vite';
import { primeReactTheme } from '../host-web/build/primereact-theme.ts';

/** Stories stand beside the components they show; galleries that span the product stand here. */
const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: [
    '../stories/**/*.stories.tsx',
    '../host-web/**/*.stories.tsx',
    '../plugins/*/web/**/*.stories.tsx',
    '../sdk/web/**/*.stories.tsx',
  ],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal: (config) => mergeConfig(config, { plugins: [primeReactTheme()] }),
  typescript: { reactDocgen: 'react-docgen' },
};

export default config;
