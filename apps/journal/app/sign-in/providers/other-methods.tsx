import { LogIn, Mail } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { carryOn } from '../request/continuation-query.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { isDeliverable } from '../tokens/deliver-tokens.ts';
import { authorizeAddress, type ProviderChoice } from './providers.ts';

const LINK_CLASS = `${buttonClass({ variant: 'outline', size: 'large' })} w-full`;
const ICON_CLASS = 'size-[1.125rem] shrink-0';

export interface OtherWaysProps {
  request: ServedRequest;
  providers: readonly ProviderChoice[];
}

/** The ways in without a password: a link by mail, and whoever else vouches for the reader. */
export function OtherWays({ request, providers }: OtherWaysProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  return (
    <div className="mt-8 grid gap-3">
      <p className="mb-3 flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
        {m.signIn.otherWays}
      </p>
      <Link to={carryOn('/auth/magic', query)} className={LINK_CLASS}>
        <Mail aria-hidden="true" className={ICON_CLASS} />
        {m.signIn.magicLink}
      </Link>
      {providers.map((provider) => (
        <ProviderLink key={provider.id} provider={provider} request={request} />
      ))}
    </div>
  );
}

/** A link and no button, in the window that the reader is in; without a script only where one ends without it too. */
export function ProviderLink({ provider, request }: { provider: ProviderChoice; request: ServedRequest }) {
  const { m } = useLanguage();
  const { projectId } = useClient();
  return (
    <a
      href={authorizeAddress(provider.id, projectId, request)}
      className={`${LINK_CLASS} ${isDeliverable(request) ? '' : 'unscripted:hidden'}`}
    >
      <LogIn aria-hidden="true" className={ICON_CLASS} />
      {m.signIn.providers.continueWith(provider.label)}
    </a>
  );
}
