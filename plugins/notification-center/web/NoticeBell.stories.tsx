import type { Meta, StoryObj } from '@storybook/react-vite';
import type { NoticeEntity } from '../shared/index.ts';
import NoticeBell from './NoticeBell.tsx';
import './notifications.css';

const meta: Meta<typeof NoticeBell> = { title: 'Notifications/Bell', component: NoticeBell };
export default meta;

const notice = (id: string, patch: Partial<NoticeEntity> = {}) =>
  ({
    id,
    kind: 'mention',
    text: '{{person}} mentioned you in a comment',
    tab: '',
    pane: 'comments',
    actor: 'ann@example.com',
    project: { id: 'p_1', title: 'Zoo' },
    table: { id: 'md_1', title: 'Animals' },
    row_id: '1',
    opens: null,
    row_title: 'Ringo',
    says: 'Has it eaten, @bob@example.com?',
    title: null,
    reason: null,
    at: '2026-11-22T08:00:00.000Z',
    is_read: false,
    ...patch,
  }) as NoticeEntity;

const bell = (list: readonly NoticeEntity[]) => ({
  host: {
    api: ({ path }: { readonly path: string }) => {
      const unread = list.filter(({ is_read: isRead }) => !isRead).length;
      return path.endsWith('/unread') ? { unread } : { list, unread };
    },
  },
});

export const Unread: StoryObj = { parameters: bell([notice('n_1'), notice('n_2', { is_read: true })]) };
export const Quiet: StoryObj = { parameters: bell([]) };
