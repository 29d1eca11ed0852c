/** Signs that looks alone tell. They have an entry of their own: few pages need the tables. */
export * from './shifted-text.ts';
export * from './symbol-fonts.ts';
