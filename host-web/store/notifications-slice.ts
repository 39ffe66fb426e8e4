import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** One labelled request, from its start to its outcome. */
export interface Notification {
  readonly type: string;
  readonly module: string;
  readonly title: string;
  readonly status: 'pending' | 'success' | 'error';
  /** Milliseconds since the epoch. */
  readonly time: number;
}

export interface NotificationsState {
  readonly items: readonly Notification[];
  /** The number of running requests without a label that show the loading bar. */
  readonly barCounter: number;
}

const capacity = 500;
const initialState = { items: [], barCounter: 0 } as NotificationsState;

type Key = Pick<Notification, 'type' | 'module' | 'title'>;

function isSame(left: Key, right: Key): boolean {
  return left.type === right.type && left.module === right.module && left.title === right.title;
}

export const notificationsSlice = createSlice({
  name: 'notifications',
  initialState,
  reducers: {
    started: (state, { payload }: PayloadAction<Key & { readonly time: number }>): NotificationsState => ({
      ...state,
      items: [
        ...state.items.filter((item) => !isSame(item, payload)),
        { ...payload, status: 'pending' as const },
      ].slice(-capacity),
    }),
    settled: (
      state,
      { payload }: PayloadAction<Key & Pick<Notification, 'status' | 'time'>>,
    ): NotificationsState => ({
      ...state,
      items: state.items.map((item) =>
        isSame(item, payload) ? { ...item, status: payload.status, time: payload.time } : item,
      ),
    }),
    barMoved: (state, { payload }: PayloadAction<1 | -1>): NotificationsState => ({
      ...state,
      barCounter: Math.max(0, state.barCounter + payload),
    }),
  },
});

/** Whether the loading bar runs. */
export function isBusy({ items, barCounter }: NotificationsState): boolean {
  return barCounter > 0 || items.some((item) => item.status === 'pending');
}
