import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { UserEntity } from '@trellis/sdk/shared';

export interface SessionState {
  readonly status: 'unknown' | 'guest' | 'signedIn';
  readonly user: UserEntity | undefined;
  /** The server no longer knows the session: the page waits under a sign-in for the same person. */
  readonly isPaused: boolean;
}

const initialState = { status: 'unknown', user: undefined, isPaused: false } as SessionState;

export const sessionSlice = createSlice({
  name: 'session',
  initialState,
  reducers: {
    started: (_state, { payload }: PayloadAction<UserEntity>): SessionState => ({
      status: 'signedIn',
      user: payload,
      isPaused: false,
    }),
    paused: (state): SessionState => ({ ...state, isPaused: true }),
    ended: (): SessionState => ({ status: 'guest', user: undefined, isPaused: false }),
  },
});
