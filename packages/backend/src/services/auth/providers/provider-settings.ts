import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Environment, readSetting } from '../../../core/settings.ts';

/** The credentials by which a provider recognises us as its client. */
export type ClientCredentials =
  /** A public client, with PKCE alone. */
  | { kind: 'none' }
  | { kind: 'secret'; secret: string }
  /** Apple's method: the secret is a token that is signed with a key. */
  | { kind: 'apple-key'; teamId: string; keyId: string; privateKey: KeyObject };

/** Holds what differs between providers. */
export interface ProviderTraits {
  protocol: 'openid-connect' | 'github';
  scope: string;
  /** Whether the browser comes back with a POST. */
  respondsByPost: boolean;
  /**
   * Whether the claim `xms_edov` tells that the person's organisation has proved to own the e-mail's domain.
   */
  verifiesDomains: boolean;
}

export interface ProviderSettings {
  /** Lower case, with "-" between words. */
  id: string;
  label: string;
  /** Exactly as the operator wrote it: issuers are compared literally. */
  issuer: string;
  clientId: string;
  credentials: ClientCredentials;
  traits: ProviderTraits;
}

interface Preset {
  label: string;
  issuer: string;
  traits: ProviderTraits;
}

const plain: ProviderTraits = {
  protocol: 'openid-connect',
  scope: 'openid email profile',
  respondsByPost: false,
  verifiesDomains: false,
};

/** Providers that need no issuer, in the order in which people see them. */
const PRESETS: Readonly<Record<string, Preset>> = {
  GOOGLE: { label: 'Google', issuer: 'https://accounts.google.com', traits: plain },
  MICROSOFT: {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    traits: { ...plain, verifiesDomains: true },
  },
  APPLE: {
    label: 'Apple',
    issuer: 'https://appleid.apple.com',
    // Apple has no scope `profile`, and responds by POST when more than `openid` is requested.
    traits: { ...plain, scope: 'openid email name', respondsByPost: true },
  },
  GITHUB: {
    label: 'GitHub',
    issuer: 'https://github.com',
    traits: { ...plain, protocol: 'github', scope: 'read:user user:email' },
  },
};

const SETTING = /^OAUTH_([A-Z0-9_]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL)(?:_FILE)?$/;
const LONGEST_LABEL = 60;

/** Reads a setting of one provider by the end of its name. A blank value counts as missing. */
type Read = (setting: string) => string | undefined;

/**
 * Parses `OAUTH_<NAME>_ISSUER`, `_CLIENT_ID`, `_CLIENT_SECRET` and `_LABEL`, each also as `…_FILE`, for any
 * number of names. The preset providers come first, the others follow by name. Every fault is added to
 * `faults` as a sentence.
 */
export function parseProviders(environment: Environment, faults: string[]): ProviderSettings[] {
  return namesIn(environment).flatMap((name) => {
    const read: Read = (setting) =>
      readSetting(`OAUTH_${name}_${setting}`, environment, faults)?.trim() || undefined;
    return parseProvider(name, read, faults) ?? [];
  });
}

function namesIn(environment: Environment): string[] {
  const names = new Set<string>();
  for (const [setting, value] of Object.entries(environment)) {
    const name = SETTING.exec(setting)?.[1];
    if (name && value?.trim()) names.add(name);
  }
  const known = Object.keys(PRESETS).filter((name) => names.delete(name));
  return [...known, ...[...names].sort()];
}

function parseProvider(name: string, read: Read, faults: string[]): ProviderSettings | undefined {
  const found: string[] = [];
  const preset = PRESETS[name];
  const id = name.toLowerCase().replaceAll('_', '-');
  if (id === 'email' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 40) {
    found.push(`OAUTH_${name}_CLIENT_ID: "${name}" cannot be the name of a provider`);
  }
  const issuer = read('ISSUER') ?? preset?.issuer;
  if (!issuer) found.push(`OAUTH_${name}_ISSUER: is missing`);
  else if (!isIssuer(issuer)) {
    found.push(
      `OAUTH_${name}_ISSUER: must be an https address without query (http only for this machine; it is "${issuer}")`,
    );
  }
  const clientId = read('CLIENT_ID');
  if (!clientId) found.push(`OAUTH_${name}_CLIENT_ID: is missing`);
  const label = read('LABEL') ?? preset?.label ?? capitalised(name);
  if (label.length > LONGEST_LABEL || /[\p{Cc}\p{Cs}]/u.test(label)) {
    found.push(`OAUTH_${name}_LABEL: must be ${LONGEST_LABEL} characters at most, on one line`);
  }
  const credentials = parseCredentials(name, read, found);
  faults.push(...found);
  if (found.length > 0 || !issuer || !clientId || !credentials) return undefined;
  return { id, label, issuer, clientId, credentials, traits: preset?.traits ?? plain };
}

function parseCredentials(name: string, read: Read, faults: string[]): ClientCredentials | undefined {
  const secret = read('CLIENT_SECRET');
  if (secret) return { kind: 'secret', secret };
  if (!PRESETS[name]) return { kind: 'none' };
  if (name === 'APPLE') return parseAppleKey(read, faults);
  faults.push(`OAUTH_${name}_CLIENT_SECRET: is missing`);
  return undefined;
}

function parseAppleKey(read: Read, faults: string[]): ClientCredentials | undefined {
  const [teamId, keyId, pem] = [read('TEAM_ID'), read('KEY_ID'), read('PRIVATE_KEY')];
  if (!teamId || !keyId || !pem) {
    faults.push(
      'OAUTH_APPLE_CLIENT_SECRET: is missing; either this, or OAUTH_APPLE_TEAM_ID, OAUTH_APPLE_KEY_ID and OAUTH_APPLE_PRIVATE_KEY',
    );
    return undefined;
  }
  const privateKey = parsePrivateKey(pem);
  if (privateKey) return { kind: 'apple-key', teamId, keyId, privateKey };
  faults.push('OAUTH_APPLE_PRIVATE_KEY: must be the key in PEM form, for ES256, as Apple hands it out (.p8)');
  return undefined;
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    // Values on one line write line ends as \n.
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether an issuer's URL is allowed. Secrets and codes are sent to it, so plain http is for this
 * machine only.
 */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * Returns whether this is a name of this machine. `hostname` has the form that URL writes: lower case, IP addresses
 * in their usual form, IPv6 in brackets.
 */
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function capitalised(name: string): string {
  return name
    .split('_')
    .filter(Boolean)
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join(' ');
}
