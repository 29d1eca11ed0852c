export type { Broker, BrokerState } from './broker.ts';
export { createRealtime, type Realtime } from './create-realtime.ts';
export { createInProcessBroker } from './in-process-broker.ts';
export { createRedisBroker } from './redis-broker.ts';
