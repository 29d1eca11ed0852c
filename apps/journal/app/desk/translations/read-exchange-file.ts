import { FabricaError } from '@fabrica/client';
import type { ExchangeFault } from '../../../project/exchange-faults.ts';

/**
 * Returns the text of a file that another translation tool has written, which is UTF-8 unless a byte order mark says UTF-16. Throws
 * VALIDATION_FAILED for any other encoding, whose words would be taken over with other letters, and for a file that is too large.
 */
export async function readExchangeFile(file: Blob, megabytes: number): Promise<string> {
  if (file.size > megabytes * 1024 * 1024) throw refused('too-large', { number: megabytes });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw refused('encoding');
  }
}

function refused(fault: ExchangeFault, more: { number?: number } = {}): FabricaError {
  return new FabricaError('VALIDATION_FAILED', `This file cannot be read: ${fault}.`, {
    details: { fault, ...more },
  });
}
