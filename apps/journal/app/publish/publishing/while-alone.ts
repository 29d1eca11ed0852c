/** Does the work unless another tab or window is at the work of that name; undefined when one is. */
export type WhileAlone = <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>;

/** By the browser's locks, which end with their page; without any (on plain http) nobody is kept out. */
export const whileAlone: WhileAlone = async (name, work) =>
  navigator.locks
    ? navigator.locks.request(`fabrica_${name}`, { ifAvailable: true }, (lock) =>
        lock ? work() : Promise.resolve(undefined),
      )
    : work();
