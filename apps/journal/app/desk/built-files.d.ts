/** `vite.config.ts` makes this module. */
declare module 'virtual:built-files' {
  /** The paths, on the site, of the files that a module is loaded from later, with what they import and its styles, by its path. */
  export const builtFiles: Readonly<Record<string, readonly string[] | undefined>>;
}
