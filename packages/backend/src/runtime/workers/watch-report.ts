/** Holds the modules that a thread or a child process has loaded. Node has them sent as messages where `node --watch` has started this process. */
export type WatchReport = Readonly<Record<'watch:import' | 'watch:require', readonly string[]>>;

export function isWatchReport<T extends object>(message: T | WatchReport): message is WatchReport {
  return 'watch:import' in message || 'watch:require' in message;
}
