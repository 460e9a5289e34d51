import { isFinished, type Job, type JobVersion } from '../../../domain/job/job.ts'
import type { LogFailure } from '../../views/log-failure.ts'
import { Log } from './log.tsx'

interface LogSectionProps {
  job: Job
  /** The earlier attempt that the log belongs to; undefined for the newest attempt. */
  shown: JobVersion | undefined
  /** All output so far; empty if there is none, and undefined if it is left out. */
  log: string | undefined
  /** Why the log is not shown to this viewer. */
  hidden: string | undefined
  /** Path of the log as plain text. */
  href: string
  /** Path of its parts, if more can come. */
  parts: string | undefined
  /** Path of the times of its lines. */
  times: string
  failure: LogFailure | undefined
}

/**
 * The log of one attempt, or why there is none. The script of the page reads the whole log: from `parts`
 * if more can come, otherwise from `href`.
 */
export function LogSection(props: LogSectionProps) {
  const { job, shown, log, hidden, href, parts, times, failure } = props
  if (hidden !== undefined) return <p class="empty">The log is not shown: {hidden}.</p>
  const isEnded = isFinished(shown ?? job)
  if (log === '' && parts === undefined) {
    return (
      <p class="empty">
        {isEnded ? 'This job printed nothing.' : 'This job has not printed anything yet.'}
      </p>
    )
  }
  return (
    <section id="log-part" aria-labelledby="log-title">
      <Toolbar href={href} errors={failure?.errors ?? []} />
      <p class="unseen" role="status" id="say" data-kept />
      <div
        class="log"
        id="log"
        role="region"
        aria-label={`Log of job ${job.number}`}
        tabindex={0}
        data-source={href}
        data-parts={parts}
        data-times={times}
        data-attempt={job.attempt}
        data-job={job.id}
        data-kept
      >
        {log === '' && <p class="line">This job has not printed anything yet.</p>}
        <Log text={log ?? ''} href={href} />
      </div>
      <p id="end" class="faint">
        {isEnded ? 'End of the log.' : 'The job has not ended.'}
      </p>
    </section>
  )
}

/** These links work without a script; controls that need the script are hidden until it runs. */
function Toolbar({ href, errors }: { href: string; errors: readonly number[] }) {
  return (
    <div class="toolbar">
      <h2 id="log-title">
        Log <span class="faint" id="size" data-kept />
      </h2>
      <form class="find" id="find" role="search" hidden data-kept>
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
        <button id="previous-match" type="button" aria-label="Previous match">
          ↑
        </button>
        <button id="next-match" aria-label="Next match">
          ↓
        </button>
      </form>
      <div class="actions">
        {errors.length > 0 && (
          <a
            class="button plain"
            id="first-error"
            href={`#L${errors[0]}`}
            data-lines={errors.toSorted((a, b) => a - b).join(' ')}
          >
            First error
          </a>
        )}
        {errors.length > 1 && (
          <>
            <button
              type="button"
              id="previous-error"
              aria-label="Previous error"
              hidden
              data-scripted
            >
              ‹
            </button>
            <button type="button" id="next-error" aria-label="Next error" hidden data-scripted>
              ›
            </button>
          </>
        )}
        <button type="button" id="follow" aria-pressed={false} hidden data-kept>
          Follow
        </button>
        <details class="menu" data-kept>
          <summary class="button plain">View</summary>
          <div>
            <label hidden data-scripted>
              <input type="checkbox" id="wrap" checked /> Wrap long lines
            </label>
            <label hidden data-scripted>
              <input type="checkbox" id="wide" /> Full width
            </label>
            <label hidden data-scripted>
              <input type="checkbox" id="times" autocomplete="off" /> Time of each line
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
      <div id="chosen" hidden data-kept>
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
