import type { Build } from '../../../domain/build.ts'
import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import type { Request } from '../../../domain/request/request.ts'
import { bodyOf, eventLabels, targetKind, TargetName, Sha, Subject } from '../parts/commit-text.tsx'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { ExternalLink, isWebAddress } from '../parts/external-link.tsx'
import { Fact, Facts, TimeFact } from '../parts/facts.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'

interface BuildHeaderProps {
  build: Build
  commit: Commit
  pullRequest: PullRequest | null
  request: Request | null
  now: Date
}

/** The header of a build: what was built, why, by whom, when, and with which result. */
export function BuildHeader({ build, commit, pullRequest, request, now }: BuildHeaderProps) {
  const body = bodyOf(commit)
  return (
    <section class={`card ${stateClass(build.state)}`}>
      <h1>
        <StateBadge state={build.state} /> Build #{build.number}
      </h1>
      <p>
        <Subject commit={commit} />
      </p>
      {body !== '' && (
        <details>
          <summary>The whole message</summary>
          <pre class="message">{body}</pre>
        </details>
      )}
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
        {commit.author_name !== null && (
          <Fact name="Author">
            <bdi>{commit.author_name}</bdi>
          </Fact>
        )}
        <Fact name="Event">
          {eventLabels[build.event_type]}
          {request && request.sender_login !== null && (
            <>
              {' by '}
              <bdi>{request.sender_login}</bdi>
            </>
          )}
        </Fact>
        <Fact name="Took">
          <Duration seconds={secondsOf(build, now)} />
        </Fact>
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
    </section>
  )
}

function CommitFact({ commit: { sha, compare_url } }: { commit: Commit }) {
  return (
    <Fact name="Commit">
      <Sha sha={sha} />
      {compare_url !== null && isWebAddress(compare_url) && (
        <>
          {' · '}
          <ExternalLink href={compare_url}>compare</ExternalLink>
        </>
      )}
    </Fact>
  )
}
