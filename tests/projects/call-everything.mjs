/** Is put behind the lines of docs/projects.md that make a client: calls all that the client has, whatever this server responds. */
// The client says itself what fails.
for (const level of ['log', 'error']) console[level] = () => undefined;
const account = { email: `ada-${Date.now()}@example.org`, password: 'seven small bones' };
const user = await client.auth.signUp(account);
await client.auth.me();
const calls = [
  () => client.db.table('plates').create({ userId: user.id, title: 'The wrist', published: 1 }),
  () => client.db.table('plates').list(),
  () => client.storage.upload(new File(['bones'], 'bones.txt'), 'bones.txt'),
  () => client.ai.generateText({ prompt: 'Which bones?' }),
  () => client.data.extractFromUrl('https://example.org/bones'),
  () => client.notifications.email({ to: account.email, subject: 'Bones', text: 'Seven.' }),
  () => client.realtime.subscribe('public:bones', () => undefined),
  () => client.realtime.publish('public:bones', 'note', {}),
  () => client.realtime.presence('public:bones'),
];
for (const call of calls) await call().catch(() => undefined);
// Outside of browsers it counts nothing by itself.
client.analytics.queue.push({ type: 'bones' });
await client.analytics.flush();
process.exit(0);
