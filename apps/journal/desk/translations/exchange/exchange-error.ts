import { AppError } from '@fabrica/backend';
import type { ExchangeFault, ExchangeFaultDetails } from '../../../project/exchange-faults.ts';

/** Returns the error for a file that is not taken over. The message is for programs; pages have sentences for the fault. */
export function exchangeError(fault: ExchangeFault, why: string, number?: number): AppError {
  const details: ExchangeFaultDetails = { fault, ...(number !== undefined && { number }) };
  return new AppError('VALIDATION_FAILED', `This file cannot be read. ${why}`, { details });
}
