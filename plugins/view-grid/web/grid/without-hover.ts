/** True on a screen that is worked by fingers alone: nothing may then depend on hovering, nor raise its keyboard unasked. */
export function isWithoutHover(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(hover: none)').matches;
}
