import { Link } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ChartTable } from './build-tables.ts';

/** Shows the numbers of a chart as a table that scrolls, by keyboard too. */
export function ChartTableView({ title, table: { header, rows } }: { title: string; table: ChartTable }) {
  const { language } = useLanguage();
  const numbers = new Intl.NumberFormat(language);
  const [first, ...others] = header;
  return (
    <section
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the only way to scroll it without a mouse.
      tabIndex={0}
      className="max-h-120 overflow-auto border-y border-hairline focus-visible:-outline-offset-2"
    >
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-paper text-muted">
          <tr>
            <th scope="col" className="py-2.5 pr-4 text-left font-medium">
              {first}
            </th>
            {others.map((head) => (
              <th key={head} scope="col" className="py-2.5 pl-3 text-right font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, to, counts }) => (
            <tr key={key} className="border-t border-hairline">
              <th scope="row" className="min-w-24 py-2.5 pr-4 text-left font-normal [overflow-wrap:anywhere]">
                {to ? (
                  <Link
                    to={to}
                    className="underline decoration-hairline underline-offset-4 hover:text-accent"
                  >
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </th>
              {counts.map((count, index) => (
                <td key={others[index]} className="py-2.5 pl-3 text-right">
                  {numbers.format(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
