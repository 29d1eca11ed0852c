import { type ComponentProps, memo, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { loadLater } from '../../ui/load-later.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import type { Credits, ShownPicture, ShownPost } from '../present-post.ts';
import type { Comparison } from '../translation/compare-texts.ts';
import type { ServedReport } from '../translation/translation-notice.tsx';
import { ArtworkViewer, ViewerButton } from '../viewer/artwork-viewer.tsx';
import { useViewerUrl } from '../viewer/use-viewer-url.ts';
import { Byline } from './byline.tsx';
import { CAPTION_ID, Caption, Hero, type MarksOfPicture } from './hero.tsx';
import { WayBack } from './way-back.tsx';

/** A plain text in the language that it was written in needs none of this code. */
const PostText = loadLater(async () => (await import('./post-text.tsx')).PostText);
const Contents = loadLater(async () => (await import('./post-text.tsx')).Contents);
const PostPictures = loadLater(async () => (await import('./post-pictures.tsx')).PostPictures);
const LanguageNote = loadLater(async () => (await import('./language-note.tsx')).LanguageNote);
const TranslationNotice = loadLater(
  async () => (await import('../translation/translation-notice.tsx')).TranslationNotice,
);
const PlateMarks = loadLater(async () => (await import('../marks/explained-picture.tsx')).PlateMarks);
const PictureMarks = loadLater(async () => (await import('../marks/explained-picture.tsx')).PictureMarks);
const FramedMarks = loadLater(async () => (await import('../marks/explained-picture.tsx')).FramedMarks);
const ViewerMarks = loadLater(async () => (await import('../marks/viewer-marks.tsx')).ViewerMarks);
const MarkBar = loadLater(async () => (await import('../marks/viewer-marks.tsx')).MarkBar);
const ComparedText = loadLater(async () => (await import('../translation/compared-text.tsx')).ComparedText);

interface PostBodyProps {
  post: ShownPost & Credits & { comments: number };
  /** Whether the post is public, so that its translation can be compared with the original. */
  isPublic?: boolean;
  /** Whether the page has the form for an error of its translation, without JavaScript. */
  report?: ServedReport;
  /** Stands below the title, such as what is for the owner alone. */
  notes?: ReactNode;
  /** Stands below the text. */
  children?: ReactNode;
}

/** Shows a post's artwork, its title and people, and its text in the reader's language. */
export function PostBody({ post, isPublic = false, report, notes, children }: PostBodyProps) {
  const [compared, setCompared] = useState<ComparedPost | null>(null);
  const comparison = compared?.post === post ? compared.comparison : null;
  const contents = post.text?.contents ?? [];
  const { close } = useViewerUrl();
  const cover = useMemo(() => ({ image: post.image, words: post.imageWords }), [post]);
  return (
    <article className="post-article artwork-width mt-4">
      {post.image.url !== '' && <Hero post={post} marks={marksOfPicture(cover, close)} />}
      <header>
        <h1 lang={post.titleLanguage ?? ''} dir="auto" className="display-title [overflow-wrap:anywhere]">
          {post.title}
        </h1>
      </header>
      <div className="post-margin">
        {post.image.url !== '' && (
          <Caption as="p" id={CAPTION_ID} words={post.imageWords} className="plate-caption" />
        )}
        <Byline post={post} />
        <WayBack />
        <LanguageNotes
          post={post}
          comparison={comparison}
          onCompare={isPublic ? setCompared : undefined}
          reportState={report?.state ?? null}
          formResult={report?.result}
        />
        {notes}
        {contents.length > 0 && (
          <Suspense>
            <Contents entries={contents} language={post.textLanguage} />
          </Suspense>
        )}
        {isExplained(cover) && <ExplainedPlate post={post} />}
      </div>
      <div className="post-column">
        <ReadText post={post} comparison={comparison} />
        {post.pictures && <FurtherPictures post={post} />}
        {children}
      </div>
    </article>
  );
}

const VIEWER = { ArtworkViewer, Caption, ViewerButton, useViewerUrl };

/** Shows what explains the artwork. It is rendered anew as seldom as the text. */
const ExplainedPlate = memo(function ExplainedPlate({ post }: { post: ShownPost }) {
  return (
    <Suspense>
      <PlateMarks picture={{ image: post.image, words: post.imageWords }} parts={VIEWER} />
    </Suspense>
  );
});

function hasMarks({ words }: ShownPicture): boolean {
  return (words.marks ?? []).length > 0;
}

/** Returns whether more is said about a picture than its caption. */
function isExplained(picture: ShownPicture): boolean {
  return hasMarks(picture) || Boolean(picture.words.description);
}

/** Returns how the marks of a picture are shown on it; `null` where it has none. */
function marksOfPicture(picture: ShownPicture, onClose: () => void): MarksOfPicture | null {
  if (!hasMarks(picture)) return null;
  return {
    over: (frame, className = '') => <MarksInFrame picture={picture} frame={frame} className={className} />,
    viewed: (stage) => (
      <Suspense>
        <ViewerMarks picture={picture} parts={VIEWER} {...stage} />
      </Suspense>
    ),
    below: (caption) => (
      <Suspense fallback={caption}>
        <MarkBar picture={picture} parts={VIEWER} onClose={onClose}>
          {caption}
        </MarkBar>
      </Suspense>
    ),
  };
}

/** Draws the marks over a picture. They are rendered anew for another picture only, as the text is. */
const MarksInFrame = memo(function MarksInFrame(props: ComponentProps<typeof FramedMarks>) {
  return (
    <Suspense>
      <FramedMarks {...props} />
    </Suspense>
  );
});

/** Shows below a further picture what explains it, and is rendered anew as seldom. */
const ExplainedPicture = memo(function ExplainedPicture({
  picture,
  number,
}: {
  picture: ShownPicture;
  number: number;
}) {
  return (
    <Suspense>
      <PictureMarks picture={picture} number={number} parts={VIEWER} />
    </Suspense>
  );
});

function explainPicture(picture: ShownPicture, number: number): ReactNode {
  return isExplained(picture) && <ExplainedPicture picture={picture} number={number} />;
}

/** Shows the further pictures, which are rendered anew for another post only, as the text is. */
const FurtherPictures = memo(function FurtherPictures({ post }: { post: ShownPost }) {
  return (
    <Suspense>
      <PostPictures post={post} viewer={VIEWER} marksOf={marksOfPicture} explain={explainPicture} />
    </Suspense>
  );
});

interface ComparedPost {
  post: ShownPost;
  comparison: Comparison;
}

interface LanguageNotesProps {
  post: ShownPost;
  comparison: Comparison | null;
  onCompare: ((compared: ComparedPost | null) => void) | undefined;
  reportState: ServedReport['state'];
  formResult: ServedReport['result'];
}

/** Says what language a text is in, and where a translation comes from. It is rendered anew as seldom as the text. */
const LanguageNotes = memo(function LanguageNotes({
  post,
  comparison,
  onCompare,
  reportState,
  formResult,
}: LanguageNotesProps) {
  const { language } = useLanguage();
  const { translation, textLanguage } = post;
  return (
    <Suspense>
      {textLanguage !== null && textLanguage !== language && <LanguageNote post={post} />}
      {translation && (
        <TranslationNotice
          post={post}
          translation={translation}
          comparison={comparison}
          onCompare={onCompare && ((next) => onCompare(next && { post, comparison: next }))}
          served={{ state: reportState, result: formResult }}
        />
      )}
    </Suspense>
  );
});

/**
 * Shows the text. It is rendered anew for another text only: a render for anything else would take the server's text off
 * the page until the code for it is loaded.
 */
const ReadText = memo(function ReadText({
  post,
  comparison,
}: {
  post: ShownPost;
  comparison: Comparison | null;
}) {
  const { text, content, isPlain, textLanguage, translation } = post;
  const isMarked = translation !== null && translation.changed.length > 0;
  if (!text && !isMarked && !comparison) {
    return (
      <div lang={textLanguage ?? ''} className="prose-text plain-text">
        <PlainText text={content} />
      </div>
    );
  }
  return (
    <Suspense>
      {comparison ? (
        <ComparedText post={post} comparison={comparison} />
      ) : (
        <PostText
          text={text}
          plain={isPlain ? content : null}
          language={textLanguage}
          passages={translation?.changed}
        />
      )}
    </Suspense>
  );
});
