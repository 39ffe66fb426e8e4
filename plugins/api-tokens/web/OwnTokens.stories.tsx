import type { Meta, StoryObj } from '@storybook/react-vite';
import type { TokenEntity } from '../shared/index.ts';
import OwnTokens from './OwnTokens.tsx';
import './tokens.css';

const meta: Meta<typeof OwnTokens> = { title: 'API tokens/Tokens of a person', component: OwnTokens };
export default meta;

const token = (description: string, patch: Partial<TokenEntity> = {}) =>
  ({
    id: description,
    project_id: null,
    description,
    permissions: 'editor',
    token: 'tr_abcd…',
    expiry: null,
    enabled: true,
    created_at: '2026-11-01 10:00:00',
    last_used_at: null,
    owner: { id: 'us_1', email: 'ann@example.com' },
    ...patch,
  }) as TokenEntity;

const tokens = (list: readonly TokenEntity[]) => ({
  host: { api: { 'GET /api/v1/db/meta/api-tokens': list } },
});

export const Some: StoryObj = {
  parameters: tokens([
    token('Import'),
    token('Report', { permissions: 'viewer', expiry: '2027-01-01 00:00:00' }),
  ]),
};
export const None: StoryObj = { parameters: tokens([]) };
