/** Offers a file for download under the given name. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken over the content when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
