import { type Frame, Layout } from '../parts/layout.tsx'
import { RepositorySearch } from '../parts/repository-search.tsx'
import { homePath, loginPath } from '../paths.ts'

interface ErrorText {
  title: string
  what: string
  advice: string
}

const texts: Record<number, ErrorText> = {
  401: {
    title: 'A login is needed',
    what: 'This page requires a login.',
    advice: 'After the login you return to it.',
  },
  403: {
    title: 'Not allowed',
    what: 'You do not have permission for this action, or the form belongs to another session.',
    advice:
      'Load the page again and try once more. If that does not help, ask someone with more rights ' +
      'on the repository.',
  },
  404: {
    title: 'Not found',
    what: 'There is nothing at this address, or it is not visible to you.',
    advice:
      'Check the address for a typing mistake. Private repositories are visible only to logged-in ' +
      'users who can see them at the code host.',
  },
  413: {
    title: 'Too large',
    what: 'That is more than the service accepts at once.',
    advice: 'Go back and send less: a build file is far smaller.',
  },
  422: {
    title: 'Not accepted',
    what: 'The submitted data is incomplete or invalid.',
    advice: 'Go back, check what you have entered, and send it again.',
  },
  429: {
    title: 'Too many requests',
    what: 'Too many requests came from your address in a short time.',
    advice: 'Wait a minute, then load the page again.',
  },
  503: {
    title: 'Unavailable',
    what: 'The service cannot reach its database.',
    advice:
      'Load the page again in a moment. If that does not help, contact the operator of this service.',
  },
}

const costly: ErrorText = {
  title: 'Too much to read',
  what: 'Reading this build file takes more time or memory than the service spends on one file.',
  advice: 'Go back and make the file shorter, or its lists and its matrix smaller.',
}

const gone = (note: string): ErrorText => ({
  title: 'Not kept',
  what: `${note[0]?.toUpperCase()}${note.slice(1)}.`,
  advice:
    'Its jobs and logs were deleted with it. The settings LOG_DAYS, BUILD_DAYS and BUILDS_KEPT of the ' +
    'installation, and those of the repository, set which builds and logs are kept.',
})

const refused: ErrorText = {
  title: 'That did not work',
  what: 'The service did not understand the request.',
  advice: 'Go back and try another way.',
}

const broken: ErrorText = {
  title: 'Something went wrong',
  what: 'An unexpected error occurred. It is not your fault.',
  advice:
    'Load the page again in a moment. If that does not help, contact the operator of this service.',
}

interface ErrorPageProps {
  frame: Frame
  /** Status of the response. */
  status: number
  /** Whether the call requires more work than the service does for a single call. */
  isCostly?: boolean
  /** The state of the record that the address names, if it is known. */
  note?: string | undefined
  /** The id under which the service's log shows the cause. */
  requestId?: string
  /** Path of the requested page, without the prefix, if a login can lead back there. */
  path?: string
}

/** Statuses of pages that a logged-in user may be able to see. */
const hiddenOnes = [401, 404]

/** Explains what happened and what to do now, without internal details. */
export function ErrorPage({ frame, status, isCostly, note, requestId, path }: ErrorPageProps) {
  const isAnonymous = frame.viewer.user === undefined
  const { title, what, advice } =
    (isCostly ? costly : note === undefined ? texts[status] : gone(note)) ??
    (status < 500 ? refused : broken)
  return (
    <Layout {...frame} title={title}>
      <section class="empty">
        <p class="status">{status}</p>
        <h1>{title}</h1>
        <p>{what}</p>
        <p>{advice}</p>
        {requestId !== undefined && status >= 500 && (
          <p class="faint">
            The operator can find the cause in the log under <code>{requestId}</code>.
          </p>
        )}
        {path !== undefined && isAnonymous && hiddenOnes.includes(status) && (
          <p>
            <a href={loginPath(frame.prefix, path)}>Log in</a>
          </p>
        )}
        {(status === 404 || status >= 500) && <RepositorySearch prefix={frame.prefix} />}
        <p>
          <a href={homePath(frame.prefix)}>To the repositories</a>
        </p>
      </section>
    </Layout>
  )
}
