import type { Plugin } from 'vite';

/**
 * Has a changed message appear in the open page, which keeps its forms: the objects that the page holds get the new texts.
 * Vite would load the page anew, since what imports messages is more than components.
 */
const acceptChanges = (exported: string) => `
if (import.meta.hot) {
  const replace = (kept, next) => {
    for (const key of Object.keys(next)) {
      if (typeof next[key] === 'object' && typeof kept[key] === 'object') replace(kept[key], next[key]);
      else kept[key] = next[key];
    }
  };
  const { data } = import.meta.hot;
  data.kept ??= { ${exported} };
  import.meta.hot.accept((next) => {
    if (!next) return;
    replace(data.kept, next);
    window.__reactRouterDataRouter?.revalidate();
  });
}
`;

export const messagesInPlace: Plugin = {
  name: 'messages-in-place',
  apply: 'serve',
  enforce: 'post',
  transform(code, id) {
    if (
      this.environment.name !== 'client' ||
      !/\/messages\/[a-z]{2}\/[\w-]+\.ts$/.test(id.split('?')[0] ?? '')
    )
      return undefined;
    const exported = [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
    return { code: code + acceptChanges(exported.join(', ')), map: null };
  },
};
