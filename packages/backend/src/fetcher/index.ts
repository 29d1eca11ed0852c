export { createGate, type Gate, type ResolvedHost } from './gate.ts';
export {
  createGuardedFetcher,
  type GuardedFetcher,
  type GuardedRequest,
  type GuardedResponse,
} from './guarded-fetcher.ts';
export { isPublicIpAddress } from './is-public-ip-address.ts';
export { fetcherSettings } from './settings.ts';
