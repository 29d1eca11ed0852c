import { Link } from 'react-router';
import { noticeText } from '../language/notice-text.tsx';
import { NOTICE_LINK_CLASS } from '../ui/button-class.ts';
import { toast } from '../ui/toasts.tsx';

/** Milliseconds that the notice is shown, so that its link can be followed. */
const LONG_MS = 12_000;

/** Leads somebody who is new here, and may write posts, to the first one. */
export function showFirstPost(): void {
  toast.success(
    noticeText(({ m }) => m.signIn.welcome.title),
    {
      duration: LONG_MS,
      description: noticeText(({ m }) => (
        <Link to="/admin" className={NOTICE_LINK_CLASS}>
          {m.signIn.welcome.firstPost}
        </Link>
      )),
    },
  );
}
