import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Codes of authenticator apps: RFC 6238 as all of them have it, with SHA-1, six digits and 30 seconds. */

const PERIOD_MS = 30_000;
const DIGITS = 6;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted too: clocks differ, and typing takes time. */
const WINDOW = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function makeSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** Encodes bytes as RFC 4648 does, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export function stepAt(time: number): number {
  return Math.floor(time / PERIOD_MS);
}

/** Returns the code of a time step (RFC 4226, section 5.3). */
export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Returns the time step whose code this is, of those around `now`, or `undefined`. */
export function findStep(secret: string, code: string, now: number): number | undefined {
  let found: number | undefined;
  for (let step = stepAt(now) - WINDOW; step <= stepAt(now) + WINDOW; step += 1) {
    // Every step is compared, in constant time.
    const isCode = timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code));
    if (isCode) found = step;
  }
  return found;
}

/** Returns the URL that authenticator apps read from a QR code. */
export function otpauthUrl({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${PERIOD_MS / 1_000}`;
  return `otpauth://totp/${label}?${query}`;
}
