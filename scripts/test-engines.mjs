// npm run test:engines [-- PATH…]: runs every test that sends a statement to a database on both engines, beside all others.
process.env.ENGINES = 'both';
await import('./test.mjs');
