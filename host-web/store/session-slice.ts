import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { UserEntity } from '@trellis/sdk/shared';

export interface SessionState {
  readonly status: 'unknown' | 'guest' | 'signedIn';
  readonly user: UserEntity | undefined;
}

const initialState = { status: 'unknown', user: undefined } as SessionState;

export const sessionSlice = createSlice({
  name: 'session',
  initialState,
  reducers: {
    started: (_state, { payload }: PayloadAction<UserEntity>): SessionState => ({
      status: 'signedIn',
      user: payload,
    }),
    ended: (): SessionState => ({ status: 'guest', user: undefined }),
  },
});
