import { LogIn, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { buttonClass } from '../../ui/button-class.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { authorizeUrl, type ProviderChoice } from './providers.ts';

const LINK_CLASS = `${buttonClass({ variant: 'outline', size: 'large' })} w-full`;
const ICON_CLASS = 'size-[1.125rem] shrink-0';

interface OtherMethodsProps {
  target: SignInTarget;
  providers: readonly ProviderChoice[];
  /** The way to sign in with a passkey. */
  children?: ReactNode;
}

/** Offers the ways to sign in without a password: a link by mail, and the identity providers. */
export function OtherMethods({ target, providers, children }: OtherMethodsProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  return (
    <div className="mt-8 grid grid-cols-1 gap-3">
      <p className="mb-3 flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
        {m.signIn.otherWays}
      </p>
      {children}
      <Link to={withTarget('/auth/magic', query)} className={LINK_CLASS}>
        <Mail aria-hidden="true" className={ICON_CLASS} />
        {useSendsMail() ? m.signIn.magicLink : m.authMail.unsent.magic}
      </Link>
      {providers.map((provider) => (
        <ProviderLink key={provider.id} provider={provider} target={target} />
      ))}
    </div>
  );
}

/** Starts a sign-in at a provider in this window. It is hidden without JavaScript if the target needs a script. */
export function ProviderLink({ provider, target }: { provider: ProviderChoice; target: SignInTarget }) {
  const { m } = useLanguage();
  const { projectId } = useClient();
  return (
    <a
      href={authorizeUrl(provider.id, projectId, target)}
      className={`${LINK_CLASS} ${worksWithoutScript(target) ? '' : 'unscripted:hidden'}`}
    >
      <LogIn aria-hidden="true" className={ICON_CLASS} />
      {m.signIn.providers.continueWith(provider.label)}
    </a>
  );
}
