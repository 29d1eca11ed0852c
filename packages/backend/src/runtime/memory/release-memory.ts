import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives memory that is free back to the system: garbage of V8's heap in this thread, and free blocks of the C library in all
 * of them. It takes as long as two full collections of garbage, and holds this thread up meanwhile.
 */
export function releaseMemory(): void {
  collectGarbage();
  returnFreeBlocks();
}

/** Has V8 drop whatever it can do without, also compiled code that has not run for long. */
function collectGarbage(): void {
  // The flag adds the function to new contexts. It is taken back because compiled code is cached for the flags of its process.
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Has glibc return free blocks that stand between others in use, which it does only when it is told to (`man malloc_trim`). It
 * takes a millisecond for each 10 MB that it returns. Node has no function for it, but SQLite's loader calls any function of a
 * library by its name. It hands over the address of its connection, which `malloc_trim` takes for the bytes that it is to keep at
 * the end of the main heap. No heap has so many, so that this call does not trim that end. Free pages between blocks are returned
 * in all heaps.
 */
export function returnFreeBlocks(): void {
  let caller: DatabaseSync | undefined;
  try {
    caller = new DatabaseSync(':memory:', { allowExtension: true });
    caller.loadExtension('libc.so.6', 'malloc_trim');
  } catch {
    // Its result, 1 where it has released something, is taken for an error. Other systems have no such library or function.
  } finally {
    caller?.close();
  }
}
