import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { Config } from '../../config.ts';
import type { Environment } from '../../core/settings.ts';
import { unreadSettings } from '../../core/unread-settings.ts';
import { countMessages, createSmtpTransport, KEPT_MESSAGES } from '../../mail/index.ts';
import { listModels, MODEL_SETTINGS, tryTextModel } from '../../services/ai/index.ts';
import { openBroker } from '../../services/realtime/index.ts';
import { openBlobs } from '../../services/storage/index.ts';
import { readRan, withDatabase } from '../migrate/database.ts';
import type { CommandContext } from '../program/context.ts';
import { presentSize } from '../program/present.ts';
import type { Finding } from './finding.ts';
import { nearestFolder, tryFolder } from './try-folder.ts';

const TIMEOUT_MS = 5_000;
/** A model on a machine of one's own may have to be loaded first. */
const MODEL_MS = 30_000;
/** Milliseconds for three models, one after the other. */
export const MODELS_MS = 3 * MODEL_MS + TIMEOUT_MS;
const LITTLE_SPACE = 1024 ** 3;

/** Settings that could not be parsed end the command before; those that nobody reads are named here. */
export async function checkSettings(environment: Environment, names: readonly string[]): Promise<Finding[]> {
  const unread = unreadSettings(environment, names);
  if (unread.length === 0) return [{ name: 'settings', state: 'ok', text: 'All of them are understood.' }];
  return unread.map((text) => ({ name: 'settings', state: 'warning', text }));
}

export async function checkRedis({ realtime }: Config): Promise<Finding[]> {
  const name = 'redis';
  if (!realtime.redisUrl) return [{ name, state: 'not used', text: 'Without REDIS_URL there is one node.' }];
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).err?.message) });
  const broker = await openBroker(realtime, log);
  try {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!broker.state().ready && Date.now() < deadline) await wait(50);
    const { ready, reason } = broker.state();
    const policy = ready ? await broker.evictionPolicy?.() : undefined;
    if (policy !== undefined && policy !== 'noeviction') {
      const text = `Its maxmemory-policy is ${policy}: when it is full, it removes messages without a word. Set noeviction.`;
      return [{ name, state: 'warning', text }];
    }
    return [
      {
        name,
        state: ready ? 'ok' : 'failed',
        text: ready ? 'It responds.' : [reason ?? 'It does not respond.', warnings.at(-1)].join(' ').trim(),
      },
    ];
  } finally {
    await broker.close();
  }
}

/** Writes a file as an upload does, reads it and removes it. */
export async function checkStore(config: Config): Promise<Finding[]> {
  if (!existsSync(config.dataDir)) {
    await tryFolder(config.dataDir).catch((cause) => {
      throw new Error(`This account cannot make the folder ${config.dataDir} (DATA_DIR).`, { cause });
    });
  }
  if (!config.storage.s3 && !existsSync(config.dataDir)) {
    // Made by another account than that of the server, it would be of no use.
    const text = `The first start makes the folder ${config.dataDir}.`;
    return [{ name: 'files', state: 'ok', text }];
  }
  const { blobs, temporaryFiles } = openBlobs(config);
  await blobs.check();
  const key = `doctor/${randomUUID()}`;
  const started = performance.now();
  const file = await temporaryFiles.receive(Readable.from([Buffer.from(key)]));
  try {
    await blobs.put(key, file.localPath);
    const stream = await blobs.read(key);
    const found = stream && (await readText(stream));
    if (found !== key) throw new Error('A file that was written is not what is read.');
  } finally {
    await blobs.remove(key).catch(() => undefined);
    await file.discard();
  }
  const ms = Math.round(performance.now() - started);
  return [{ name: 'files', state: 'ok', text: `A file was written, read and removed within ${ms} ms.` }];
}

export async function checkMail(config: Config): Promise<Finding[]> {
  const name = 'mail';
  const { smtpUrl, from } = config.mail;
  if (!smtpUrl) {
    return [{ name, state: 'warning', text: 'Without SMTP_URL, mails wait in the folder outbox.' }];
  }
  const transport = createSmtpTransport({ url: smtpUrl, from });
  try {
    await transport.verify();
    return [{ name, state: 'ok', text: 'The mail server lets us in.' }];
  } finally {
    await transport.close();
  }
}

/** Counts the messages that are kept for the operator. A database that was not migrated yet is left as it is. */
export async function checkMessages(context: CommandContext): Promise<Finding[]> {
  const ran = await readRan(context);
  if (!ran.some(({ name }) => name === KEPT_MESSAGES)) return [];
  const messages = await withDatabase(context, countMessages);
  if (messages === 0) return [];
  const text = `${messages} of the contact form: "fabrica outbox" shows them. CONTACT_TO has them mailed.`;
  return [{ name: 'messages', state: 'warning', text }];
}

export async function checkModel({ ai }: Config): Promise<Finding[]> {
  const name = 'model';
  if (!(ai.baseUrl ?? ai.provider))
    return [
      { name, state: 'not used', text: 'Without AI_BASE_URL, posts stay in the language of their author.' },
    ];
  if (!ai.models.text)
    return [
      { name, state: 'not used', text: 'Without AI_TEXT_MODEL, posts stay in the language of their author.' },
    ];
  const { text, judge = text, vision = text, ...others } = ai.models;
  const findings: Finding[] = [];
  for (const model of new Set([text, judge, vision])) {
    const oddities = await tryTextModel({ ...ai, models: { ...ai.models, text: model } }, MODEL_MS);
    if (oddities.length === 0) findings.push({ name, state: 'ok', text: `${model} responds.` });
    findings.push(...oddities.map((oddity) => ({ name, state: 'warning' as const, text: oddity })));
  }
  return [...findings, ...(await findUnlisted(ai, others))];
}

/** A picture or a recording has its price: of those models, the endpoint's list is looked at alone, where it has one. */
async function findUnlisted(ai: Config['ai'], named: Partial<Config['ai']['models']>): Promise<Finding[]> {
  const listed = await listModels(ai, TIMEOUT_MS);
  if (listed === undefined) return [];
  const isListed = (model: string) => listed.some((id) => id === model || id.startsWith(`${model}:`));
  return Object.entries(named).flatMap(([capability, model]): Finding[] => {
    if (model === undefined || isListed(model)) return [];
    const setting = MODEL_SETTINGS[capability as keyof typeof named];
    const text = `The endpoint does not list the model ${model} of ${setting}.`;
    return [{ name: 'model', state: 'warning', text }];
  });
}

export async function checkDisk({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, bsize, blocks } = await statfs(nearestFolder(dataDir));
  const free = bavail * bsize;
  const isLow = free < LITTLE_SPACE || bavail < blocks / 20;
  const text = `${presentSize(free)} of ${presentSize(blocks * bsize)} are free in ${dataDir}.`;
  return [{ name: 'disk', state: isLow ? 'warning' : 'ok', text }];
}
