import { type Frame, Layout } from '../parts/layout.tsx'
import { homePath } from '../paths.ts'

interface ErrorText {
  title: string
  what: string
  advice: string
}

const texts: Record<number, ErrorText> = {
  401: {
    title: 'An access token is needed',
    what: 'This page is shown only to those whose access token allows it.',
    advice: 'Send a valid one with the call; the operator makes one with build-service token.',
  },
  403: {
    title: 'Not allowed',
    what: 'You can see this, but you cannot do that.',
    advice: 'Ask someone with more rights on the repository to do it, or to give you the right.',
  },
  404: {
    title: 'Not found',
    what: 'There is nothing at this address, or it is not visible to you.',
    advice:
      'Check the address for a typing mistake. What is private is shown only to calls with an ' +
      'access token; the operator makes one with build-service token.',
  },
  413: {
    title: 'Too large',
    what: 'That is more than the service accepts at once.',
    advice: 'Go back and send less: a readable build file is far smaller.',
  },
  422: {
    title: 'Too much to read',
    what: 'Reading this build file takes more time or memory than the service spends on one file.',
    advice: 'Go back and make the file shorter, or its lists and its matrix smaller.',
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
  /** The id by which the operator finds the cause in the log. */
  requestId?: string
}

/** Says what happened and what to do now, without internal details. */
export function ErrorPage({ frame, status, requestId }: ErrorPageProps) {
  const { title, what, advice } = texts[status] ?? (status < 500 ? refused : broken)
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
        <p>
          <a href={homePath(frame.prefix)}>To the repositories</a>
        </p>
      </section>
    </Layout>
  )
}
