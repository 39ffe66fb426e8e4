/** Bytes of a picture of somebody; the page makes it small before it is sent. */
export const mostPictureBytes = 300 * 1024;
