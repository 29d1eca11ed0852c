export { realtimeMigrations, realtimeTables } from './announcing-nodes.ts';
export { BeatsElsewhere } from './beats-elsewhere.ts';
export type { Broker, BrokerState } from './broker/broker.ts';
export { ClocksElsewhere, MAX_CLOCK_MS } from './clocks-elsewhere.ts';
export { createRealtime, openBroker, type Realtime } from './create-realtime.ts';
export { realtimeSettings } from './settings.ts';
