const CONTROLS = 'main :is(a[href], button, input, select, summary, textarea)';
/** Pixels between a notice and the control below it. */
const GAP_PX = 8;
/** Height of a control in pixels from which on it can be pressed beside a notice, as a card or a field for a text can. */
const TALL_PX = 120;

/** Anything with two edges: a control, or the band across the window in which notices stand. */
interface Edges {
  top: number;
  bottom: number;
}

/** Milliseconds after a notice came or went in which the browser and the header may still move. */
const SETTLING_MS = 500;

/**
 * Scrolls the controls of a scrolled page from below the notices that appear. It goes by where notices come to rest, as they
 * slide in. Neither the page nor the notices move while somebody presses, since the release would then meet something else. Returns a
 * function that ends this.
 */
export function uncoverControls(areas: HTMLElement): () => void {
  let frame = 0;
  let settled = 0;
  let isPressed = false;
  let isMissed = false;
  const look = () => {
    cancelAnimationFrame(frame);
    isMissed = isPressed;
    if (!isPressed) frame = requestAnimationFrame(() => scrollFrom(areas));
  };
  const observer = new ResizeObserver(() => {
    settled = performance.now() + SETTLING_MS;
    look();
  });
  // The browser moves the page by the height of the notice, which keeps the text in its place: on a busy machine, after the next frame.
  const follow = () => {
    if (performance.now() < settled) look();
  };
  const press = () => {
    isPressed = true;
    cancelAnimationFrame(frame);
    // The header may come or go for a scroll before the press, and its notices with it.
    areas.style.top = getComputedStyle(areas).top;
  };
  const release = () => {
    isPressed = false;
    // Behind the click, which meets what is below the pointer then.
    setTimeout(() => areas.style.removeProperty('top'));
    if (isMissed) look();
  };
  observer.observe(areas);
  const ended = new AbortController();
  const options = { passive: true, signal: ended.signal };
  window.addEventListener('scroll', follow, options);
  window.addEventListener('pointerdown', press, options);
  for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, release, options);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    ended.abort();
  };
}

function scrollFrom(areas: HTMLElement): void {
  const header = document.querySelector('header');
  const notices = [...areas.querySelectorAll('.notice')].map((notice) => notice.getBoundingClientRect());
  if (!header || notices.length === 0) return;
  const controls = [...document.querySelectorAll(CONTROLS)]
    .map((control) => control.getBoundingClientRect())
    .filter(({ height }) => height > 0 && height < TALL_PX)
    .filter(({ left, right }) => notices.some((notice) => left < notice.right && right > notice.left));
  const { offsetHeight: below } = header;
  // The header and its notices stand at the top of the page, and stay in sight. Scrolling up brings the header back.
  const top = header.dataset.away === undefined ? below : Math.max(0, below - window.scrollY);
  const height = areas.offsetHeight;
  const distance = distanceDown(controls, {
    before: { top, bottom: top + height },
    after: { top: below, bottom: below + height },
    most: window.scrollY,
  });
  if (distance > 0) window.scrollBy(0, -distance);
}

/**
 * Returns by how many pixels the page has to come down, so that the notices, in the band `after`, cover no control. It is 0
 * when they cover none where they are, in `before`. Where controls stand too close, the first one that is covered comes out below.
 */
export function distanceDown(
  controls: readonly Edges[],
  { before, after, most }: { before: Edges; after: Edges; most: number },
): number {
  const covered = controls.filter((control) => overlap(control, before));
  if (covered.length === 0) return 0;
  const below = (control: Edges) => Math.min(most, after.bottom + GAP_PX - control.top);
  const first = Math.max(...covered.map(below));
  const distances = controls.map(below).filter((distance) => distance >= first);
  distances.sort((one, other) => one - other);
  const isFree = (distance: number) =>
    distance === most ||
    controls.every(({ top, bottom }) => !overlap({ top: top + distance, bottom: bottom + distance }, after));
  const free = distances.find((distance) => distance - first <= after.bottom && isFree(distance));
  return free ?? first;
}

function overlap(one: Edges, other: Edges): boolean {
  return one.top < other.bottom && one.bottom > other.top;
}
