/** The most bytes of a profile picture; the page reduces it before sending. */
export const mostPictureBytes = 300 * 1024;
