import { stopWhileStarting } from './server/stop-while-starting.ts';

const hasStarted = stopWhileStarting();
// Loading the server takes most of a start, so that signals are listened to before.
const { startJournal } = await import('./server/start-journal.ts');
await startJournal(process.env, hasStarted);
