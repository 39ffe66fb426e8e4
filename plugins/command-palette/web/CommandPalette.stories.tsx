import type { Meta, StoryObj } from '@storybook/react-vite';
import CommandPalette from './CommandPalette.tsx';
import './palette.css';

const meta: Meta<typeof CommandPalette> = {
  title: 'Command palette/Palette',
  component: CommandPalette,
  args: { onClose: () => undefined },
};
export default meta;

const command = (id: string, label: string, keys?: string) => ({
  id,
  label,
  icon: 'bolt',
  category: 'Page',
  ...(keys !== undefined && { keys }),
  run: () => undefined,
});

export const Commands: StoryObj = {
  parameters: {
    host: {
      registries: {
        commands: [command('dark', 'Light or dark', 'mod+shift+d'), command('side', 'Show the side bar')],
        routes: [{ id: 'projects', path: '/projects', title: 'My Projects', Component: () => null }],
      },
    },
  },
};
