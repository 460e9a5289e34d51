import type { ComponentChildren } from 'preact'
import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import type { Request } from '../../../domain/request/request.ts'
import { CheckList } from '../parts/check-list.tsx'
import { eventLabels, BuildTarget, Sha, Subject } from '../parts/commit-text.tsx'
import { PlainBadge } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'

export interface ListedRequest {
  request: Request
  commit: Commit | null
  pullRequest: PullRequest | null
}

interface RequestItemProps extends ListedRequest {
  now: Date
  /** The remedy. */
  children?: ComponentChildren
}

/** A request without a build, with the reason and all checks. */
export function RequestItem({ request, commit, pullRequest, now, children }: RequestItemProps) {
  const { event_type, result, reason, message, checks, sender_login } = request
  return (
    <li class="item">
      <ResultBadge result={result} />
      <div>
        <p>
          <strong>{message ?? missingMessage(result)}</strong>{' '}
          {reason !== null && <code class="reason">{reason}</code>}
        </p>
        <p class="faint">
          {eventLabels[event_type]}
          {sender_login !== null && (
            <>
              {' by '}
              <bdi>{sender_login}</bdi>
            </>
          )}
          {' · '}
          <RequestTarget request={request} commit={commit} pullRequest={pullRequest} />
        </p>
        {checks.length > 0 && (
          <details>
            <summary>All checks</summary>
            <CheckList checks={checks} />
          </details>
        )}
        {children}
      </div>
      <p class="when">
        <Time at={request.created_at} now={now} />
      </p>
    </li>
  )
}

function ResultBadge({ result }: Pick<Request, 'result'>) {
  if (result === null) return <PlainBadge shape="open" label="Open" />
  return <PlainBadge shape={result} label={result === 'rejected' ? 'Rejected' : 'Accepted'} />
}

function missingMessage(result: Request['result']): string {
  return result === null ? 'Not decided yet' : 'No reason was recorded'
}

function RequestTarget({ request, commit, pullRequest }: ListedRequest) {
  if (!commit && !pullRequest) return <code>{request.ref ?? 'no commit'}</code>
  return (
    <>
      <BuildTarget commit={commit} pullRequest={pullRequest} />
      {commit && (
        <>
          {' · '}
          <Sha sha={commit.sha} /> <Subject commit={commit} />
        </>
      )}
    </>
  )
}
