import { useState } from 'react';
import { Link } from 'react-router';
import type { listBylines } from '../../../desk/bylines.ts';
import { useClient } from '../../client/client-context.tsx';
import { createSendDeskRequest, type ResponseOf } from '../../desk/desk-requests.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { AccountSection, focusHeading } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';

type NamedPost = ResponseOf<typeof listBylines>[number];

/** Lists the posts of others that name the account, for its owner to accept or refuse. Most accounts see no such section. */
export function BylinesSection() {
  const { m } = useLanguage();
  const texts = m.account.bylines;
  const client = useClient();
  const posts = useLoadedData('bylines', async () => {
    const send = createSendDeskRequest(client);
    return (await send<{ posts: NamedPost[] }>('GET', '/bylines')).posts;
  });
  const [done, setDone] = useState('');
  if (posts.status !== 'ready' || (posts.data.length === 0 && !done)) return null;
  const change = (id: string, changed: NamedPost[], message: string) => {
    posts.update((list) => list.flatMap((post) => (post.id === id ? changed : [post])));
    setDone(message);
    // The pressed button is gone, and the focus with it.
    focusHeading('bylines');
  };
  return (
    <AccountSection id="bylines" title={texts.title} {...(posts.data.length > 0 && { lead: texts.lead })}>
      <ul>
        {posts.data.map((post) => (
          <BylineItem
            key={post.id}
            post={post}
            onAccepted={(title) => change(post.id, [{ ...post, accepted: true }], texts.acceptedIn(title))}
            onLeft={(title) => change(post.id, [], texts.left(title))}
          />
        ))}
      </ul>
      <p role="status" className="text-[0.9375rem] text-success empty:sr-only">
        {done}
      </p>
    </AccountSection>
  );
}

interface BylineItemProps {
  post: NamedPost;
  onAccepted(title: string): void;
  onLeft(title: string): void;
}

function BylineItem({
  post: { id, title: given, published, accepted },
  onAccepted,
  onLeft,
}: BylineItemProps) {
  const { m } = useLanguage();
  const texts = m.account.bylines;
  const title = given || texts.untitled;
  const accept = useAccountForm(({ error }) => error || onAccepted(title));
  const leave = useAccountForm(({ error }) => error || onLeft(title));
  const [isLeaving, setLeaving] = useState(false);
  const path = published ? `/post/${id}` : `/admin/posts/${id}`;
  return (
    <li className="grid gap-3 border-t border-hairline py-4 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 font-medium [overflow-wrap:anywhere]">
          <Link to={path} className="underline underline-offset-4 hover:text-accent">
            {title}
          </Link>
          {accepted && <span className="small-caps-label text-success">{texts.accepted}</span>}
        </p>
        <div className="flex flex-wrap gap-2">
          {!accepted && (
            <accept.Form {...accept.props}>
              <input type="hidden" name="intent" value="accept-byline" />
              <input type="hidden" name="post" value={id} />
              <Button type="submit" size="small" busy={accept.isBusy} aria-label={texts.acceptIn(title)}>
                {texts.accept}
              </Button>
            </accept.Form>
          )}
          <Button
            variant="outline"
            size="small"
            busy={leave.isBusy}
            aria-label={texts.leaveIn(title)}
            onClick={() => setLeaving(true)}
          >
            {texts.leave}
          </Button>
        </div>
      </div>
      <FormMessage result={accept.result ?? leave.result} />
      <ConfirmDialog
        open={isLeaving}
        title={texts.leaveAsk(title)}
        description={texts.leaveLoses}
        cancel={m.account.cancel}
        confirm={texts.leave}
        onConfirm={() => {
          setLeaving(false);
          leave.send({ intent: 'leave-byline', post: id });
        }}
        onCancel={() => setLeaving(false)}
      />
    </li>
  );
}
