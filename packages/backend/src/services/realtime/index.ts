export type { Broker, BrokerState } from './broker/broker.ts';
export { createInProcessBroker } from './broker/in-process-broker.ts';
export { createRedisBroker } from './broker/redis-broker.ts';
export { createRealtime, type Realtime } from './create-realtime.ts';
