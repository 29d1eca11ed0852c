import { Content, Item, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu';
import { Link as LinkIcon, Mail, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { canonicalUrl } from '../../layout/metadata.ts';
import type { loader } from '../../root.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { PostPage } from '../load-post.ts';
import { buildMailLink, buildShareTargets, popupFeatures, type ShareTarget } from './share-links.ts';

/** Letters stand for the services in place of their logos. */
const LETTERS: Record<ShareTarget['id'], string> = {
  facebook: 'f',
  x: 'X',
  linkedin: 'in',
  whatsapp: 'w',
  telegram: 't',
  reddit: 'r',
};

export type SharedPage = Pick<PostPage, 'id' | 'title'>;

/** Renders the menu with six services, a mail and the link itself (docs/spec/product.md sections 2 and 7). */
export function ShareMenu({ post, className }: { post: SharedPage; className: string }) {
  const { m } = useLanguage();
  return (
    <Root modal={false}>
      <Trigger className={className}>
        <Share2 aria-hidden="true" className="size-[1.15em]" />
        {m.post.share.open}
      </Trigger>
      <Content
        align="end"
        sideOffset={8}
        collisionPadding={12}
        className="z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-xs border border-hairline bg-raised p-1.5 shadow-xl"
      >
        <ShareItems post={post} />
      </Content>
    </Root>
  );
}

/** Renders the items. They share the page in the language that it is read in. */
function ShareItems({ post: { id, title } }: { post: SharedPage }) {
  const { m, language } = useLanguage();
  const { publicUrl = '' } = useRouteLoaderData<typeof loader>('root') ?? {};
  const { email, copyLink, copied, copyFailed, mailBody } = m.post.share;
  const url = canonicalUrl({ publicUrl, path: `/post/${id}`, language });

  const copy = () => {
    copyText(url).then(
      () => toast.success(copied),
      () => toast.error(copyFailed, { description: url }),
    );
  };
  const writeMail = () => {
    window.location.href = buildMailLink({ subject: title, body: mailBody(title, url) });
  };

  return (
    <>
      {buildShareTargets({ url, title }).map(({ id, name, url: shareUrl }) => (
        <MenuItem
          key={id}
          onSelect={() => openPopup(shareUrl)}
          icon={<span className="font-serif text-base leading-none">{LETTERS[id]}</span>}
        >
          {name}
        </MenuItem>
      ))}
      <Separator className="mx-3 my-1.5 h-px bg-hairline" />
      <MenuItem onSelect={writeMail} icon={<Mail className="size-4" />}>
        {email}
      </MenuItem>
      <MenuItem onSelect={copy} icon={<LinkIcon className="size-4" />}>
        {copyLink}
      </MenuItem>
    </>
  );
}

function openPopup(url: string): void {
  const { screenX, screenY, outerWidth, outerHeight } = window;
  const opener = { left: screenX, top: screenY, width: outerWidth, height: outerHeight };
  window.open(url, '_blank', popupFeatures(opener));
}

/** Copies a text to the clipboard. Rejects when the browser does not permit it. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages on plain HTTP have no clipboard object.
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (!copied) throw new Error('The browser did not copy.');
}

interface MenuItemProps {
  icon: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}

function MenuItem({ icon, onSelect, children }: MenuItemProps) {
  return (
    <Item
      onSelect={onSelect}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xs px-3 text-[0.9375rem] text-ink outline-none select-none data-highlighted:bg-hairline"
    >
      <span aria-hidden="true" className="grid w-5 place-items-center text-muted">
        {icon}
      </span>
      {children}
    </Item>
  );
}
