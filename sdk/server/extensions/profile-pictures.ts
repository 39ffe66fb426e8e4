import { createToken } from '../../shared/index.ts';

/** The pictures by which people show themselves. Provided by `sys-users`. @beta */
export interface ProfilePictures {
  /** By the id of the account, where its picture is read: an address of this server that nobody guesses. Those without one are left out. */
  addresses(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
/** Pictures of people. @beta */
export const ProfilePicturesToken = createToken<ProfilePictures>('profile-pictures');
