import { NetworkError } from './http/errors.ts';

/**
 * Returns a service whose code is loaded with its first call, for pages that never call it. Each of its methods, which
 * are named here, returns a promise, and rejects with a NetworkError when the code cannot be loaded; the next call loads
 * it again.
 */
export function createLateService<Service extends object>(
  methods: Readonly<Record<keyof Service, true>>,
  load: () => Promise<Service>,
): Service {
  let loading: Promise<Service> | undefined;
  const loaded = () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new NetworkError({ cause });
    });
    return loading;
  };
  const names = Object.keys(methods) as (keyof Service)[];
  const service = names.map((name) => [
    name,
    async (...call: unknown[]) => ((await loaded())[name] as (...call: unknown[]) => unknown)(...call),
  ]);
  return Object.fromEntries(service) as Service;
}
