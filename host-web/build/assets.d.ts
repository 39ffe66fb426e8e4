/** Files that the web build emits as separate assets. */
declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
