import { type ComponentType, lazy } from 'react';

/**
 * Returns a component whose code loads when it is first shown. Without a connection it shows nothing, which must be a
 * state that the page can be read in, and loads once the browser is online.
 */
export function loadLater<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await onceOnline(load) }));
}

/** Loads code. Without a connection, loads it once the browser is online. */
export async function onceOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    return onceOnline(load);
  }
}
