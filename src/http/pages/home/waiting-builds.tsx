import type { Commit } from '../../../domain/commit/commit.ts'
import { slugOf } from '../../../domain/repository.ts'
import type { ListedBuild } from '../../../store/builds/listed-builds.ts'
import { Sha, Subject } from '../parts/commit-text.tsx'
import { LastTime } from '../parts/last-time.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { buildPath, queuePath } from '../paths.ts'

interface WaitingBuild {
  build: ListedBuild
  commit: Commit | null
}

export interface WaitingBuildsProps {
  prefix: string
  now: Date
  /** The oldest open builds, in order. */
  builds: readonly WaitingBuild[]
  /** Whether there are more builds than those listed. */
  hasMore: boolean
}

/** Running and waiting builds, with a link to the queue, which shows the reasons. */
export function WaitingBuilds({ prefix, now, builds, hasMore }: WaitingBuildsProps) {
  if (builds.length === 0) return null
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">
        Running and waiting <a href={queuePath(prefix)}>Queue</a>
      </h2>
      <ul class="items">
        {builds.map(({ build, commit }) => (
          <li class={`item ${stateClass(build.state)}`}>
            <StateBadge state={build.state} />
            <div>
              <p>
                <a class="title" href={buildPath(prefix, build.repository, build)}>
                  <bdi>{slugOf(build.repository)}</bdi> #{build.number}
                </a>
              </p>
              {commit && (
                <p class="faint">
                  <Sha sha={commit.sha} /> <Subject commit={commit} />
                </p>
              )}
            </div>
            <p class="when">
              <LastTime build={build} now={now} />
            </p>
          </li>
        ))}
      </ul>
      {hasMore && <p class="faint">Only the {builds.length} oldest are listed.</p>}
    </section>
  )
}
