/**
 * When a page that still changes was made, and how to see later changes: it does not reload automatically. Hidden
 * while the page is live.
 */
export function AsOf({ now, href }: { now: Date; href: string }) {
  return (
    <p class="faint as-of" id="as-of">
      As of <time datetime={now.toISOString()}>{now.toISOString().slice(11, 19)} UTC</time>.{' '}
      <a href={href}>Load again</a>
    </p>
  )
}
