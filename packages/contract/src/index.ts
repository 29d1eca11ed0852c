export * from './ai.ts';
export * from './auth.ts';
export * from './constants.ts';
export * from './errors.ts';
export * from './names.ts';
export * from './roles.ts';
export * from './storage.ts';
