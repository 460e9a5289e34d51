import type { LogFailure } from '../../views/log-failure.ts'

interface FailureExcerptProps {
  failure: LogFailure
  /** The subject of the excerpt, for screen readers. */
  label: string
  /** Path of the job's page. */
  href: string
  /** Whether the links are tab stops; if not, there is a single link to the line next to them. */
  stops?: boolean
}

/**
 * The lines of a log that explain why a job failed, each with a link to its place, and how they were found.
 */
export function FailureExcerpt({ failure, label, href, stops = false }: FailureExcerptProps) {
  const { lines, basis, notes = [] } = failure
  return (
    <>
      {lines.length > 0 && (
        <div class="log excerpt" role="region" aria-label={label} tabindex={0}>
          {lines.map(({ number, text }) => (
            <div class="line">
              {number !== null && (
                <a class="number" href={`${href}#L${number}`} tabindex={stops ? undefined : -1}>
                  {number}
                </a>
              )}
              <span class="text">{text}</span>
            </div>
          ))}
        </div>
      )}
      {basis !== undefined && lines.length > 0 && <p class="faint">{basis}</p>}
      {notes.map((note) => (
        <p>
          <bdi>{note}</bdi>
        </p>
      ))}
    </>
  )
}
