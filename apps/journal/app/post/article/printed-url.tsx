import { useRouteLoaderData } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { canonicalUrl } from '../../layout/metadata.ts';

/** Says on paper where the page is found. */
export function PrintedUrl({ path }: { path: string }) {
  const page = useRouteLoaderData<{ publicUrl: string }>('root');
  const { language } = useLanguage();
  return (
    <p className="mt-8 hidden border-t border-hairline pt-3 text-sm text-muted [overflow-wrap:anywhere] print:block">
      {canonicalUrl({ publicUrl: page?.publicUrl ?? '', path, language })}
    </p>
  );
}
