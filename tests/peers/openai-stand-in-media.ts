/**
 * The part of the OpenAI stand-in (openai-stand-in.ts) for images and sound: `POST /v1/images/generations`,
 * `/v1/images/edits`, `/v1/audio/speech` and `/v1/audio/transcriptions`. An image is one plain colour, speech is a moment of
 * silence in the requested format, and every recording has the same transcript.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';

export interface SentFile {
  field: string;
  name: string;
  type: string;
  bytes: Buffer;
}

/** One received request. */
export interface MediaCall {
  /** `/v1/images/generations`, … */
  path: string;
  authorization: string | undefined;
  /** The fields of the JSON body, or those of the form, which are all texts. */
  fields: Record<string, unknown>;
  files: SentFile[];
  /** Whether the caller left before the response was complete. */
  aborted: boolean;
}

export type MediaBehaviour =
  /** Responds with this status and OpenAI's error body. */
  | { kind: 'fail'; status: number; retryAfter?: number }
  /** Never responds. */
  | { kind: 'stall' }
  /** Closes the connection without a response. */
  | { kind: 'hang-up' }
  /** Responds 200 with exactly this body. */
  | { kind: 'send'; type: string; body: string | Uint8Array }
  /** Responds 200 with a body that never ends. */
  | { kind: 'endless'; type: string }
  /** Returns images by this URL, or by one of its own. */
  | { kind: 'by-url'; url?: string };

export type MediaRule = MediaBehaviour & {
  /** The number of calls that it applies to; all of them by default. */
  times?: number;
};

/** The received calls, oldest first, and the rules for the next ones: the newest rule applies. */
export interface MediaContext {
  calls: MediaCall[];
  rules: MediaRule[];
}

/** The transcript of every recording, with times in seconds. */
export const TRANSCRIPT = [
  { start: 0, end: 1.5, text: 'The heart is a pump.' },
  { start: 1.5, end: 3.25, text: 'It beats.' },
] as const;

/** Moments of silence in Base64, made by ffmpeg. */
const SOUNDS: Record<string, string> = {
  mp3: '//MYxAAAAANIAAAAAExBTUUzLjEwMFVVVVVVVVVVVVVVVVVV//MYxBcAAANIAAAAAFVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV//MYxC4AAANIAAAAAFVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV//MYxEUAAANIAAAAAFVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV',
  opus: 'T2dnUwACAAAAAAAAAADEk5+zAAAAAI6I/N0BE09wdXNIZWFkAQE4AYA+AAAAAABPZ2dTAAAAAAAAAAAAAMSTn7MBAAAAritrhQE+T3B1c1RhZ3MNAAAATGF2ZjU5LjI3LjEwMAEAAAAdAAAAZW5jb2Rlcj1MYXZjNTkuMzcuMTAwIGxpYm9wdXNPZ2dTAAR4DAAAAAAAAMSTn7MCAAAAifQJwAQHBgYGCAvkuaC8hAgHxrMOxggHxrMOxggHxrMOxg==',
  aac: '//FgQAOf/N4CAExhdmM1OS4zNy4xMDAAAjBADv/xYEABf/wBGCAH',
  flac: 'ZkxhQ4AAACIEgASAAAANAAANA+gA8AAAA8A9oVgtoi71SQek9M1tXRpg//h1CAADv/wAAADjmA==',
};

const TYPES: Record<string, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

const IMAGE_PATH = '/v1/images/made.png';

/** Responds to a call for images or sound. Returns whether it was one. */
export async function handleMedia(
  request: IncomingMessage,
  response: ServerResponse,
  context: MediaContext,
): Promise<boolean> {
  const path = request.url ?? '';
  if (request.method === 'GET' && path === IMAGE_PATH) {
    send(response, 'image/png', drawImage('by url'));
    return true;
  }
  const respond = RESPONSES[path];
  if (request.method !== 'POST' || !respond) return false;
  const call = await parseCall(request, path);
  context.calls.push(call);
  response.once('close', () => {
    call.aborted = !response.writableFinished;
  });
  const rule = takeRule(context.rules);
  if (!rule) respond(call, response);
  else misbehave(rule, response, `http://${request.headers.host}${IMAGE_PATH}`);
  return true;
}

function misbehave(rule: MediaRule, response: ServerResponse, ownUrl: string): void {
  switch (rule.kind) {
    case 'stall':
      return;
    case 'hang-up':
      response.destroy();
      return;
    case 'fail':
      if (rule.retryAfter !== undefined) response.setHeader('retry-after', String(rule.retryAfter));
      response.writeHead(rule.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'This call was set to fail.', type: 'stand_in' } }));
      return;
    case 'send':
      send(response, rule.type, rule.body);
      return;
    case 'endless':
      response.writeHead(200, { 'content-type': rule.type });
      pour(response);
      return;
    case 'by-url':
      sendJson(response, { created: 1, data: [{ url: rule.url ?? ownUrl }] });
  }
}

const RESPONSES: Record<string, (call: MediaCall, response: ServerResponse) => void> = {
  '/v1/images/generations': sendImages,
  '/v1/images/edits': sendImages,
  '/v1/audio/speech': ({ fields }, response) => {
    const format = String(fields.response_format ?? 'mp3');
    send(response, TYPES[format] ?? 'application/octet-stream', makeSound(format));
  },
  '/v1/audio/transcriptions': ({ fields }, response) => {
    const text = TRANSCRIPT.map((segment) => segment.text).join(' ');
    if (fields.response_format !== 'verbose_json') return sendJson(response, { text });
    const segments = TRANSCRIPT.map((segment, id) => ({
      ...{
        id,
        seek: 0,
        tokens: [id],
        temperature: 0,
        avg_logprob: -0.1,
        compression_ratio: 1,
        no_speech_prob: 0,
      },
      ...segment,
    }));
    sendJson(response, { task: 'transcribe', language: 'english', duration: 3.25, text, segments });
  },
};

function sendImages({ fields }: MediaCall, response: ServerResponse): void {
  const data = Array.from({ length: Number(fields.n ?? 1) }, (_, index) => ({
    b64_json: drawImage(`${fields.prompt} ${index}`).toString('base64'),
  }));
  sendJson(response, { created: 1, data, usage: { input_tokens: 7, output_tokens: 70, total_tokens: 77 } });
}

/** Returns a PNG of 64 × 64 pixels in a colour that is derived from the text. */
export function drawImage(text: string): Buffer {
  const colour = [1, 2, 3].map((seed) => crc32(`${seed}${text}`) % 256);
  const line = Buffer.from([0, ...Array.from({ length: 64 }, () => colour).flat()]);
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: 64 }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns 60 ms of silence. */
export function makeSound(format: string): Buffer {
  const samples = Buffer.alloc(2_880);
  if (format !== 'wav') return format === 'pcm' ? samples : Buffer.from(SOUNDS[format] ?? '', 'base64');
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8);
  header.set([16, 0, 0, 0, 1, 0, 1, 0], 16);
  header.writeUInt32LE(24_000, 24);
  header.writeUInt32LE(48_000, 28);
  header.set([2, 0, 16, 0], 32);
  header.write('data', 36);
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, samples]);
}

function takeRule(rules: MediaRule[]): MediaRule | undefined {
  const [rule] = rules;
  if (rule?.times !== undefined) {
    rule.times -= 1;
    if (rule.times <= 0) rules.shift();
  }
  return rule;
}

async function parseCall(request: IncomingMessage, path: string): Promise<MediaCall> {
  const chunks: Buffer[] = [];
  for await (const piece of request) chunks.push(piece as Buffer);
  const body = Buffer.concat(chunks);
  const call: MediaCall = {
    path,
    authorization: request.headers.authorization,
    fields: {},
    files: [],
    aborted: false,
  };
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return { ...call, fields: JSON.parse(body.toString('utf8')) };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [field, value] of form) {
    if (typeof value === 'string') call.fields[field] = value;
    else {
      const bytes = Buffer.from(await value.arrayBuffer());
      call.files.push({ field, name: value.name, type: value.type, bytes });
    }
  }
  return call;
}

function pour(response: ServerResponse): void {
  const block = Buffer.alloc(1024 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', more);
  more();
}

function sendJson(response: ServerResponse, body: unknown): void {
  send(response, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}
