export { createGate, type Gate, type Place } from './gate.ts';
export {
  createGuardedFetcher,
  type GuardedAnswer,
  type GuardedFetcher,
  type GuardedRequest,
} from './guarded-fetcher.ts';
export { isPublicAddress } from './is-public-ip-address.ts';
export { type FetcherSettings, fetcherSettings } from './settings.ts';
