import { isFinished, type Job, type JobVersion } from '../../../domain/job/job.ts'
import type { LogFailure } from '../../views/log-failure.ts'
import { Log } from './log.tsx'

interface LogSectionProps {
  job: Job
  /** The earlier attempt that the log belongs to; undefined for the newest attempt. */
  shown: JobVersion | undefined
  /** All output so far; empty if there is none. */
  log: string
  /** Why the log is not shown to this viewer. */
  hidden: string | undefined
  /** Path of the log as plain text. */
  href: string
  failure: LogFailure | undefined
}

/** The log of one attempt, or why there is none. Its script reads the whole log from `href`. */
export function LogSection({ job, shown, log, hidden, href, failure }: LogSectionProps) {
  if (hidden !== undefined) return <p class="empty">The log is not shown: {hidden}.</p>
  const isEnded = isFinished(shown ?? job)
  if (log === '') {
    return (
      <p class="empty">
        {isEnded ? 'This job printed nothing.' : 'This job has not printed anything yet.'}
      </p>
    )
  }
  const error = failure?.lines.at(-1)?.number
  return (
    <section id="log-part" aria-labelledby="log-title">
      <Toolbar href={href} error={error ?? undefined} />
      <p class="unseen" role="status" id="say" />
      <div
        class="log"
        id="log"
        role="region"
        aria-label={`Log of job ${job.number}`}
        tabindex={0}
        data-source={href}
        data-error={error ?? undefined}
      >
        <Log text={log} href={href} />
      </div>
      <p id="end" class="faint">
        {isEnded ? 'End of the log.' : 'The job has not ended.'}
      </p>
    </section>
  )
}

/** Links that work by themselves; what needs the script is hidden until it runs. */
function Toolbar({ href, error }: { href: string; error: number | undefined }) {
  return (
    <div class="toolbar">
      <h2 id="log-title">
        Log <span class="faint" id="size" />
      </h2>
      <form class="find" id="find" role="search" hidden>
        <label class="unseen" for="search">
          Search the log, or :number for a line
        </label>
        <input
          id="search"
          type="search"
          placeholder="Search, or :line"
          autocomplete="off"
          spellcheck={false}
        />
        <span id="found" class="faint" />
        <button id="next-match" aria-label="Next match">
          ↓
        </button>
        <button id="previous-match" type="button" aria-label="Previous match">
          ↑
        </button>
      </form>
      <div class="actions">
        {error !== undefined && (
          <a class="button plain" id="first-error" href={`#L${error}`}>
            First error
          </a>
        )}
        <details class="menu">
          <summary class="button plain">View</summary>
          <div>
            <label hidden data-scripted>
              <input type="checkbox" id="wrap" checked /> Wrap long lines
            </label>
            <label hidden data-scripted>
              <input type="checkbox" id="wide" /> Full width
            </label>
            <button type="button" id="open-all" hidden data-scripted>
              Open or close all folds
            </button>
            <a href={href}>Plain text</a>
            <a href={href} download>
              Download
            </a>
            <a href="#end">To the end</a>
          </div>
        </details>
      </div>
      <div id="chosen" hidden>
        <strong id="chosen-text" />
        <button type="button" id="copy-text">
          Copy text
        </button>
        <button type="button" id="copy-link">
          Copy link
        </button>
        <button type="button" id="choose-none">
          Clear
        </button>
      </div>
    </div>
  )
}
