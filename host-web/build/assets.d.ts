/** What the web build turns into files of their own. */
declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
