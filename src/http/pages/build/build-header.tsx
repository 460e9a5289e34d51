import type { Build } from '../../../domain/build.ts'
import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import type { Request } from '../../../domain/request/request.ts'
import { bodyOf, eventLabels, Sha, Subject, TargetName, targetKind } from '../parts/commit-text.tsx'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { ExternalLink, isWebAddress } from '../parts/external-link.tsx'
import { Fact, Facts, TimeFact } from '../parts/facts.tsx'
import { LastTime } from '../parts/last-time.tsx'

interface BuildProps {
  build: Build
  commit: Commit
  pullRequest: PullRequest | null
  request: Request | null
  now: Date
}

/** The commit of a build, its author, start and duration, in one line. */
export function BuildLine({ build, commit, request, now }: BuildProps) {
  return (
    <p class="what">
      <span>
        <Sha sha={commit.sha} /> <Subject commit={commit} />
      </span>
      {commit.author_name !== null && (
        <span>
          <bdi>{commit.author_name}</bdi>
        </span>
      )}
      <span>
        {eventLabels[build.event_type]}
        {request && request.sender_login !== null && (
          <>
            {' by '}
            <bdi>{request.sender_login}</bdi>
          </>
        )}
      </span>
      {build.started_at && (
        <span>
          took <Duration seconds={secondsOf(build, now)} />
        </span>
      )}
      <span>
        <LastTime build={build} now={now} />
      </span>
    </p>
  )
}

/** The whole message of a build's commit, where it comes from, and the times of its states. */
export function BuildFacts({ build, commit, pullRequest, now }: BuildProps) {
  const body = bodyOf(commit)
  return (
    <details class="card">
      <summary>Commit and times</summary>
      {body !== '' && <pre class="message">{body}</pre>}
      <Facts>
        <Fact name={targetKind({ commit, pullRequest })}>
          <TargetName commit={commit} pullRequest={pullRequest} />
        </Fact>
        {pullRequest && (
          <Fact name="From">
            <bdi>{pullRequest.head_slug ?? 'a deleted repository'}</bdi>
            {': '}
            <bdi>{pullRequest.head_ref}</bdi> into <bdi>{pullRequest.base_ref}</bdi>
          </Fact>
        )}
        <CommitFact commit={commit} />
        {build.duration !== null && (
          <Fact name="All jobs together">
            <Duration seconds={build.duration} />
          </Fact>
        )}
        <TimeFact name="Created" at={build.created_at} now={now} />
        <TimeFact name="Started" at={build.started_at} now={now} />
        <TimeFact name="Finished" at={build.finished_at} now={now} />
        <TimeFact name="Canceled" at={build.canceled_at} now={now} />
        <TimeFact name="Restarted" at={build.restarted_at} now={now} />
      </Facts>
    </details>
  )
}

function CommitFact({ commit: { sha, compare_url } }: { commit: Commit }) {
  return (
    <Fact name="Commit">
      <code>{sha}</code>
      {compare_url !== null && isWebAddress(compare_url) && (
        <>
          {' · '}
          <ExternalLink href={compare_url}>compare</ExternalLink>
        </>
      )}
    </Fact>
  )
}
