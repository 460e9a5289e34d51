import type { Build } from '../../../domain/build.ts'
import type { Commit, PullRequest } from '../../../domain/commit/commit.ts'
import { BuildTarget, Sha, Subject } from '../parts/commit-text.tsx'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { LastTime } from '../parts/last-time.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'

export interface ShownBuild {
  build: Build
  commit: Commit | null
  pullRequest: PullRequest | null
}

interface BuildItemProps extends ShownBuild {
  href: string
  now: Date
}

/** One build in a list: state, number, branch, tag or pull request, commit, time and duration. */
export function BuildItem({ build, commit, pullRequest, href, now }: BuildItemProps) {
  return (
    <li class={`item ${stateClass(build.state)}`}>
      <StateBadge state={build.state} />
      <div>
        <p>
          <a class="title" href={href}>
            #{build.number}
          </a>
          {(commit ?? pullRequest) && ' · '}
          <BuildTarget commit={commit} pullRequest={pullRequest} />
        </p>
        {commit && (
          <p class="faint">
            <Sha sha={commit.sha} /> <Subject commit={commit} />
            {commit.author_name !== null && (
              <>
                {' · '}
                <bdi>{commit.author_name}</bdi>
              </>
            )}
          </p>
        )}
      </div>
      <p class="when">
        <Duration seconds={secondsOf(build, now)} />
        <LastTime build={build} now={now} />
      </p>
    </li>
  )
}
