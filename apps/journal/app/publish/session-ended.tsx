import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';

/** The session ended while a post was on its way: where to sign in, and that nothing is lost. */
export function SessionEnded() {
  const { m } = useLanguage();
  const { auth } = useClient();
  const texts = m.publish.sessionEnded;
  return (
    <div role="alert" className="grid justify-items-start gap-3 border border-accent bg-raised p-5">
      <p className="font-medium">{texts.title}</p>
      <p className="text-muted">{texts.description}</p>
      <Button variant="danger" size="small" onClick={() => auth.login('/admin')}>
        {texts.signIn}
      </Button>
    </div>
  );
}
