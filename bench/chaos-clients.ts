import { createClient } from '@fabrica/client';
import type { MessageId } from '@fabrica/contract';
import { compareMessageIds } from '@fabrica/contract';
import type { ChannelLog, ClientsCommand, ClientsReply } from './chaos.ts';

/** The process of the clients of the chaos run, which log their messages and send the logs on request. */

const logs: ChannelLog[] = [];
const clients: ReturnType<typeof createClient>[] = [];

function listen(origin: string, channels: readonly string[]): void {
  const client = createClient({ projectId: 'journal', origin });
  clients.push(client);
  for (const channel of channels) {
    const log: ChannelLog = { client: clients.length, channel, runs: [], disorder: 0, resyncs: 0 };
    let newest: MessageId = '0-0';
    logs.push(log);
    client.realtime.subscribe(channel, {
      message({ id, data }) {
        const { n } = data as { n: number };
        const run = log.runs.at(-1);
        if (compareMessageIds(id, newest) <= 0 || (run && n <= run.to)) log.disorder += 1;
        newest = id;
        if (run && n === run.to + 1 && log.resyncs === 0) run.to = n;
        else log.runs.push({ from: n, to: n, resyncs: log.resyncs });
        log.resyncs = 0;
      },
      resync() {
        log.resyncs += 1;
      },
    });
  }
}

/** Returns whether each client is subscribed to all of its channels. */
function isSubscribed(): boolean {
  const states = clients.flatMap(({ realtime }) => Object.values(realtime.getState().channels));
  return states.length === logs.length && states.every((state) => state === 'subscribed');
}

process.on('message', ({ listeners }: ClientsCommand) => {
  for (const { origin, channels } of listeners ?? []) listen(origin, channels);
  const reply: ClientsReply = { isSubscribed: isSubscribed(), logs };
  process.send?.(reply);
});
process.once('disconnect', () => process.exit());
