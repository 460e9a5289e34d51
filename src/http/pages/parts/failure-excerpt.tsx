import type { LogFailure } from '../../views/log-failure.ts'

interface FailureExcerptProps {
  failure: LogFailure
  /** Of what it is, for screen readers. */
  label: string
  /** Path of the job's page. */
  href: string
}

/** The last lines of the output of the command that failed, each with a link to its line in the log. */
export function FailureExcerpt({ failure: { lines }, label, href }: FailureExcerptProps) {
  return (
    <div class="log excerpt" role="region" aria-label={label} tabindex={0}>
      {lines.map(({ number, text }) => (
        <div class="line">
          {number !== null && (
            <a class="number" href={`${href}#L${number}`} tabindex={-1}>
              {number}
            </a>
          )}
          <span class="text">{text}</span>
        </div>
      ))}
    </div>
  )
}
