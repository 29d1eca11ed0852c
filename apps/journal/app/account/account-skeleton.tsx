/** Heights of the first sections, so that little moves when they appear. */
const SECTIONS = ['h-80', 'h-36', 'h-96'];

/** Shows placeholders for the sections until it is known who is signed in. */
export function AccountSkeleton() {
  return (
    <div className="unscripted:hidden">
      {SECTIONS.map((height) => (
        <div
          key={height}
          className="grid gap-x-16 gap-y-6 border-t border-hairline pt-8 pb-12 lg:grid-cols-[minmax(0,17rem)_minmax(0,36rem)]"
        >
          <div className="skeleton h-9 w-32" />
          <div className={`skeleton ${height}`} />
        </div>
      ))}
    </div>
  );
}
