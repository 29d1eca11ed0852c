// What a thread needs, in an entry of its own: the backend as a whole would take many times the memory.
export { type CarriedError, packError, unpackError } from './carried-error.ts';
export { serveTasks, type TaskServer } from './serve-tasks.ts';
