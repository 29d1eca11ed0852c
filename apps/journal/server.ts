import { startJournal } from './server/start-journal.ts';

await startJournal(process.env);
