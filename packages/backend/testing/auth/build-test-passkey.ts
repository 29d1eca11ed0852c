import { createSign, generateKeyPairSync, hash, randomBytes } from 'node:crypto';

/** Says what a passkey of the tests does otherwise than a good one. */
export interface PasskeyFault {
  origin?: string;
  rpId?: string;
  /** Whether a page of another site has shown ours in a frame. */
  crossOrigin?: boolean;
  type?: string;
  challenge?: string;
  /** Whether the owner has unlocked it. */
  verified?: boolean;
  /** Whether the owner has touched it. */
  present?: boolean;
  /** Replaces its own. */
  credentialId?: string;
  userHandle?: string | null;
  counter?: number;
  /** Signs something else. */
  forged?: boolean;
}

interface Options {
  options: { challenge: string; user?: { id: string } };
}

const TEST_ORIGIN = 'https://journal.example';
const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

/** Builds a passkey in software that answers as an authenticator and its browser do, or with a fault. */
export function buildTestPasskey({ counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32).toString('base64url');
  let counter = 0;
  let userHandle = '';

  function clientData(type: string, challenge: string, fault: PasskeyFault): Buffer {
    const origin = fault.origin ?? TEST_ORIGIN;
    return Buffer.from(
      JSON.stringify({
        type: fault.type ?? type,
        challenge: fault.challenge ?? challenge,
        origin,
        crossOrigin: fault.crossOrigin ?? false,
      }),
    );
  }

  function authenticatorData(fault: PasskeyFault, attested: Buffer = Buffer.alloc(0)): Buffer {
    const { verified = true, present = true, rpId = new URL(TEST_ORIGIN).hostname } = fault;
    if (counts) counter += 1;
    const head = Buffer.alloc(5);
    head[0] = (present ? PRESENT : 0) | (verified ? VERIFIED : 0) | (attested.length > 0 ? ATTESTED : 0);
    head.writeUInt32BE(fault.counter ?? counter, 1);
    return Buffer.concat([hash('sha256', rpId, 'buffer'), head, attested]);
  }

  function envelope(response: Record<string, unknown>, credentialId = id) {
    return {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    };
  }

  return {
    id,
    /** Returns the credential of `navigator.credentials.create`. */
    create({ options }: Options, fault: PasskeyFault = {}) {
      userHandle = options.user?.id ?? '';
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const rawId = Buffer.from(id, 'base64url');
      const length = Buffer.from([0, rawId.length]);
      const data = authenticatorData(fault, Buffer.concat([Buffer.alloc(16), length, rawId, cose]));
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return envelope({
        clientDataJSON: clientData('webauthn.create', options.challenge, fault).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** Returns the credential of `navigator.credentials.get`. */
    get({ options }: Options, fault: PasskeyFault = {}) {
      const client = clientData('webauthn.get', options.challenge, fault);
      const data = authenticatorData(fault);
      const signed = Buffer.concat([data, hash('sha256', fault.forged ? 'x' : client, 'buffer')]);
      const handle = fault.userHandle === undefined ? userHandle : fault.userHandle;
      return envelope(
        {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
          ...(handle !== null && { userHandle: handle }),
        },
        fault.credentialId,
      );
    },
  };
}

export type TestPasskey = ReturnType<typeof buildTestPasskey>;
