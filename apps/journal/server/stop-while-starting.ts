/**
 * Ends the process with 0 and a line when SIGINT or SIGTERM comes, or when `npm start` is gone, until the returned function is
 * called. The first process of a container takes no notice of a signal that nobody listens to. What is under way is cut off, as by a
 * crash: a migration is a transaction, and the demo is finished by the next start.
 */
export function stopWhileStarting(): () => void {
  const stop = (reason: string) => {
    process.stderr.write(`Stopped by ${reason} before it was ready.\n`, () => process.exit(0));
  };
  const onSignal = (signal: NodeJS.Signals) => stop(signal);
  const onDisconnect = () => stop('the end of npm start');
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  if (process.connected) process.once('disconnect', onDisconnect);
  return () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('disconnect', onDisconnect);
  };
}
