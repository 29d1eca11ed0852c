export * from './auth.ts';
export * from './constants.ts';
export * from './errors.ts';
export * from './names.ts';
export * from './storage.ts';
export * from './ai.ts';
