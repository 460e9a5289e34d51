import type { Commit, PullRequest } from '../../../domain/commit.ts'
import type { Request } from '../../../domain/request.ts'
import { CheckList } from '../parts/check-list.tsx'
import { eventWords, Place, Sha, Subject } from '../parts/commit-text.tsx'
import { PlainBadge } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'

export interface ListedRequest {
  request: Request
  commit: Commit | null
  pullRequest: PullRequest | null
}

/** A request that made no build, with the reason and all that was looked at. */
export function RequestItem({ request, commit, pullRequest, now }: ListedRequest & { now: Date }) {
  const { event_type, result, reason, message, checks, sender_login } = request
  return (
    <li class="item">
      <ResultBadge result={result} />
      <div>
        <p>
          <strong>{message ?? openWords(result)}</strong>{' '}
          {reason !== null && <code class="reason">{reason}</code>}
        </p>
        <p class="faint">
          {eventWords[event_type]}
          {sender_login !== null && (
            <>
              {' by '}
              <bdi>{sender_login}</bdi>
            </>
          )}
          {' · '}
          <Where request={request} commit={commit} pullRequest={pullRequest} />
        </p>
        {checks.length > 0 && (
          <details>
            <summary>What was looked at</summary>
            <CheckList checks={checks} />
          </details>
        )}
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

function openWords(result: Request['result']): string {
  return result === null ? 'The service is still deciding about it' : 'No reason was noted'
}

function Where({ request, commit, pullRequest }: ListedRequest) {
  if (!commit && !pullRequest) return <code>{request.ref ?? 'no commit'}</code>
  return (
    <>
      <Place commit={commit} pullRequest={pullRequest} />
      {commit && (
        <>
          {' · '}
          <Sha sha={commit.sha} /> <Subject commit={commit} />
        </>
      )}
    </>
  )
}
