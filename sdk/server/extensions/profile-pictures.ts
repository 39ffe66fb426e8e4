import { createToken } from '../../shared/index.ts';

/** The profile pictures of people. Provided by `sys-users`. @beta */
export interface ProfilePictures {
  /** By account id, the address of its picture on this server, which nobody can guess. Accounts without a picture are absent. */
  addresses(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
/** Pictures of people. @beta */
export const ProfilePicturesToken = createToken<ProfilePictures>('profile-pictures');
